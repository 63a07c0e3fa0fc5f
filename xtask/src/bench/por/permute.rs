//! The same model with its processes named in another order: proctypes in the text, or what `init` starts.

use std::ops::Range;

/// More permutations than these are not tried.
const MOST: usize = 24;

/// The text in all orders of its proctypes, or of the `run` statements of `init` where that has several; only in some of
/// the orders where there are very many. The first is the text as it is.
pub fn orders(text: &str) -> Vec<String> {
    let code = without_comments(text);
    let runs = runs(&code);
    let parts = if runs.len() > 1 { runs } else { proctypes(&code) };
    permutations(parts.len()).into_iter().map(|order| rearranged(&code, &parts, &order)).collect()
}

/// The text with these parts, each of them in the place of another.
fn rearranged(text: &str, parts: &[Range<usize>], order: &[usize]) -> String {
    let mut result = String::new();
    let mut end = 0;
    for (place, &part) in parts.iter().zip(order) {
        result.push_str(&text[end..place.start]);
        result.push_str(&text[parts[part].clone()]);
        end = place.end;
    }
    result.push_str(&text[end..]);
    result
}

/// Comments may have braces in them, and words of the language.
fn without_comments(text: &str) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some(start) = rest.find(['/', '"']) {
        let (before, after) = rest.split_at(start);
        result.push_str(before);
        let length = if after.starts_with("/*") {
            after.find("*/").map_or(after.len(), |end| end + 2)
        } else if after.starts_with("//") {
            after.find('\n').unwrap_or(after.len())
        } else if let Some(inside) = after.strip_prefix('"') {
            let end = inside.find('"').map_or(after.len(), |end| end + 2);
            result.push_str(&after[..end]);
            end
        } else {
            result.push('/');
            1
        };
        rest = &after[length..];
    }
    result + rest
}

/// Where each proctype stands, from `active` or `proctype` to its last brace.
fn proctypes(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(word) = text[from..].find("proctype").map(|at| at + from) {
        let Some(open) = text[word..].find('{').map(|at| at + word) else { break };
        let end = matching_brace(text, open);
        found.push(start_of(&text[from..word]).map_or(word, |start| start + from)..end);
        from = end;
    }
    found
}

/// The `active` or `active [n]` that ends this text.
fn start_of(before: &str) -> Option<usize> {
    let start = before.rfind("active")?;
    let between = before[start + "active".len()..].trim();
    (between.is_empty() || between.starts_with('[') && between.ends_with(']')).then_some(start)
}

/// Where the block that begins here ends.
fn matching_brace(text: &str, open: usize) -> usize {
    let mut depth = 0;
    for (offset, sign) in text[open..].char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return open + offset + 1;
        }
    }
    text.len()
}

/// The `run` statements of `init`, where none is in a loop.
fn runs(text: &str) -> Vec<Range<usize>> {
    let Some(init) = text.find("init") else { return Vec::new() };
    let Some(open) = text[init..].find('{').map(|at| at + init) else { return Vec::new() };
    let end = matching_brace(text, open);
    if text[open..end].contains("do\n") || text[open..end].contains("for ") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut from = open;
    while let Some(start) = text[from..end].find("run ").map(|at| at + from) {
        let mut depth = 0;
        let closing = text[start..end].char_indices().find(|(_, sign)| {
            match sign {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            *sign == ')' && depth == 0
        });
        let Some((offset, _)) = closing else { break };
        from = start + offset + 1;
        found.push(start..from);
    }
    found
}

/// All permutations, or rotations forward and backward where there are too many.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let total = (1..=count).product::<usize>();
    if total <= MOST {
        let mut all = vec![Vec::new()];
        for _ in 0..count {
            let longer = |order: &Vec<usize>| {
                let left = (0..count).filter(|next| !order.contains(next));
                left.map(|next| [&order[..], &[next]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(longer).collect();
        }
        return all;
    }
    let rotated = |by: usize| (0..count).map(move |index| (index + by) % count).collect::<Vec<usize>>();
    let forward: Vec<Vec<usize>> = (0..count).map(rotated).collect();
    let backward = forward.iter().map(|order| order.iter().rev().copied().collect());
    forward.iter().cloned().chain(backward).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proctypes_change_places() {
        let text =
            "byte x; /* } proctype */\nactive proctype A() { x = 1 }\nactive [2] proctype B() { if :: { x = 2 } fi }\n";
        let all = orders(text);
        assert_eq!(all.len(), 2);
        assert!(all[0].ends_with("active proctype A() { x = 1 }\nactive [2] proctype B() { if :: { x = 2 } fi }\n"));
        assert!(all[1].ends_with("active [2] proctype B() { if :: { x = 2 } fi }\nactive proctype A() { x = 1 }\n"));
    }

    #[test]
    fn so_does_what_init_starts() {
        let text = "proctype A(byte n) { skip }\ninit { atomic { run A(1 + (2)); run A(3) } }\n";
        assert!(orders(text)[1].contains("{ run A(3); run A(1 + (2)) }"));
    }

    #[test]
    fn many_parts_are_rotated() {
        assert_eq!(permutations(3).len(), 6);
        assert_eq!(permutations(5).len(), 10);
        assert_eq!(permutations(5)[1], [1, 2, 3, 4, 0]);
        assert_eq!(permutations(0), [Vec::<usize>::new()]);
    }
}
