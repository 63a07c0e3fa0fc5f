//! The programs of [yorav00], Table 3.2, as far as its text tells what they do. Sizes and ranges are ours, and so is the way in
//! which the processes of the ring get their numbers.

/// A program, and what the paper has measured: states in percent of the full model.
pub struct Program {
    pub name: String,
    pub text: String,
    pub dead: Option<f64>,
    pub path: Option<f64>,
    pub both: Option<f64>,
    /// Without partial orders it does not come to an end.
    pub is_huge: bool,
}

pub fn programs() -> Vec<Program> {
    let program = |name: &str, text: String, dead, path, both| Program {
        name: name.to_owned(),
        text,
        dead,
        path,
        both,
        is_huge: false,
    };
    let slide = include_str!("../../../../testdata/models/slide.while").to_owned();
    vec![
        program("slide", slide, Some(98.6), Some(36.6), Some(32.1)),
        program("simple", simple(64), Some(72.3), Some(67.1), Some(47.8)),
        program("linked-list, 4 nodes", linked_list(4, 4, 4), Some(87.6), Some(37.1), Some(32.6)),
        program("linked-list, 5 nodes", linked_list(5, 4, 4), None, None, None),
        program("find-max, 3 processes", find_max(3), None, None, None),
        program("find-max, 4 processes", find_max(4), Some(100.0), Some(15.6), None),
        Program { is_huge: true, ..program("find-max, 8 processes", find_max(8), None, None, None) },
    ]
}

/// One process sends numbers or switches the other between taking notice of them and not.
fn simple(numbers: u32) -> String {
    let last = numbers - 1;
    format!(
        "process Client boolean request; int[0..{last}] n;
         {{ while TRUE do
              request := {{TRUE, FALSE}};
              if request then n := {{0 .. {last}}}; send(Server, request); send(Server, n);
              else send(Server, request); fi;
            od }}
         process Server boolean request, ignoring; int[0..{last}] x, out;
         {{ while TRUE do
              receive(Client, request);
              if request then receive(Client, x); if ignoring then skip; else out := x; fi;
              else ignoring := !ignoring; fi;
            od }}
         SPEC AG (Server.out >= 0)"
    )
}

/// Nodes in a line keep the largest numbers that come by, the first one the largest of all.
fn linked_list(nodes: u32, values: u32, inputs: u32) -> String {
    let mut text = format!(
        "process Main int[0..{inputs}] i; int[0..{values}] x;
         {{ while i < {inputs} do x := {{1 .. {values}}}; send(N1, x); i := i + 1; od }}\n"
    );
    for node in 1..=nodes {
        let before = if node == 1 { "Main".to_owned() } else { format!("N{}", node - 1) };
        let pass = match node == nodes {
            true => String::new(),
            false => format!("label pass; send(N{}, tmp);", node + 1),
        };
        text += &format!(
            "process N{node} int[0..{values}] tmp, num, old; boolean have;
             {{ while TRUE do
                  label take; receive({before}, tmp);
                  if !have then num := tmp; have := TRUE;
                  else if tmp > num then old := num; num := tmp; tmp := old; fi; {pass} fi;
                od }}\n"
        );
    }
    // Two neighbours are never both ready: who takes is not passing.
    text + "SPEC AG !(label(N2.take) && label(N2.pass) && label(N1.pass))"
}

/// The largest number on a ring that can be gone through in one direction, with room for one message on each link.
fn find_max(processes: u32) -> String {
    let mut text = format!("process Main boolean used[{}]; int[0..{processes}] x;\n{{", processes + 1);
    for process in 1..=processes {
        text += &format!(
            " x := {{1 .. {processes}}}; while used[x] do x := {{1 .. {processes}}}; od; used[x] := TRUE; send(P{process}, x);\n"
        );
    }
    text += "}\n";
    for process in 1..=processes {
        let before = if process == 1 { processes } else { process - 1 };
        let after = process % processes + 1;
        text += &format!(
            "process P{process} int[0..{processes}] max, near, far; boolean active, found;
             {{ receive(Main, max); active := TRUE;
                while active do
                  send(L{process}, max); receive(L{before}, near);
                  if near = max then found := TRUE; active := FALSE;
                  else
                    send(L{process}, near); receive(L{before}, far);
                    if near > far && near > max then max := near; else active := FALSE; fi;
                  fi;
                od;
                while !found do receive(L{before}, near); send(L{process}, near); od }}
             process L{process} int[0..{processes}] message;
             {{ while TRUE do receive(P{process}, message); send(P{after}, message); od }}\n"
        );
    }
    // Whoever has found it has found it.
    let found: Vec<String> =
        (1..=processes).map(|process| format!("(P{process}.found -> P{process}.max = {processes})")).collect();
    text + &format!("SPEC AG ({})", found.join(" && "))
}
