//! Source text in which mutants wait to be chosen when the program runs: each replaces an expression or statements, so an
//! `if` can keep both, and one build serves all mutants.

use std::ops::Range;

use super::Mutant;
use crate::Failure;

/// The variable that holds the number of the mutant to be.
pub const CHOICE: &str = "REDUCTIO_MUTANT";

/// Appended to the root of each crate that has mutants.
pub const CHOOSER: &str = r#"
/// Is this run to be wrong in this way?
#[allow(dead_code)]
pub(crate) fn is_mutant(number: usize) -> bool {
    static CHOSEN: std::sync::OnceLock<Option<usize>> = std::sync::OnceLock::new();
    let read = || std::env::var("REDUCTIO_MUTANT").ok()?.parse().ok();
    *CHOSEN.get_or_init(read) == Some(number)
}
"#;

/// A mutant and what it replaces.
struct Place<'m> {
    number: usize,
    mutant: &'m Mutant,
    range: Range<usize>,
}

/// The text of a file with all its mutants, each with its number.
pub fn with_mutants(text: &str, mutants: &[(usize, &Mutant)]) -> Result<String, Failure> {
    let places = mutants.iter().map(|&(number, mutant)| Ok(Place { number, mutant, range: place_of(mutant, text)? }));
    let mut places = places.collect::<Result<Vec<_>, Failure>>()?;
    // What contains others comes before them.
    places.sort_by_key(|place| (place.range.start, usize::MAX - place.range.end));
    guarded(text, 0..text.len(), &places)
}

/// Where the text is that the mutant replaces.
pub fn place_of(mutant: &Mutant, text: &str) -> Result<Range<usize>, Failure> {
    let wrong = |what: &str| Failure(format!("mutant `{}`: {what} {}", mutant.name, mutant.file));
    let (before, replaced, after) = parts(mutant.original).ok_or_else(|| wrong("‹ and › do not match, in"))?;
    let context = [before, replaced, after].concat();
    let mut found = text.match_indices(&context);
    let start = match (found.next(), found.next()) {
        (Some((start, _)), None) => start + before.len(),
        _ => return Err(wrong("its text is not once in")),
    };
    Ok(start..start + replaced.len())
}

/// What stands before ‹, between ‹ and ›, and after ›. Without these signs, all is replaced.
fn parts(original: &str) -> Option<(&str, &str, &str)> {
    match (original.split_once('‹'), original.contains('›')) {
        (None, false) => Some(("", original, "")),
        (Some((before, rest)), _) => rest.split_once('›').map(|(replaced, after)| (before, replaced, after)),
        (None, true) => None,
    }
}

/// A part of the text, with the mutants that are in it.
fn guarded(text: &str, range: Range<usize>, places: &[Place<'_>]) -> Result<String, Failure> {
    let (mut result, mut end, mut rest) = (String::new(), range.start, places);
    while let [place, others @ ..] = rest {
        let here = others.iter().take_while(|other| other.range.start < place.range.end).count();
        let (inside, after) = others.split_at(here);
        if let Some(other) = inside.iter().find(|other| other.range.end > place.range.end) {
            let (one, other) = (place.mutant.name, other.mutant.name);
            return Err(Failure(format!("mutants `{one}` and `{other}` replace texts that overlap")));
        }
        let original = guarded(text, place.range.clone(), inside)?;
        result += &text[end..place.range.start];
        result += &choice(place, &original);
        (end, rest) = (place.range.end, after);
    }
    Ok(result + &text[end..range.end])
}

/// Both texts: the mutant's and the original, which may contain other mutants.
fn choice(place: &Place<'_>, original: &str) -> String {
    let both = format!("if crate::is_mutant({}) {{ {} }} else {{ {original} }}", place.number, place.mutant.mutated);
    // An expression may stand anywhere, a statement only where statements are.
    if original.trim_end().ends_with(';') { both } else { format!("({both})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mutants::judge::Judge;

    fn mutant(original: &'static str, mutated: &'static str) -> Mutant {
        Mutant { name: "m", file: "f.rs", original, mutated, caught_by: Judge::Programs }
    }

    fn guard(text: &str, mutants: &[Mutant]) -> Result<String, String> {
        let numbered: Vec<_> = mutants.iter().enumerate().collect();
        with_mutants(text, &numbered).map_err(|failure| failure.to_string())
    }

    #[test]
    fn a_mutant_waits_beside_the_original() {
        let expression = mutant("let a = ‹b› + c;", "0");
        let expected = "{ let a = (if crate::is_mutant(0) { 0 } else { b }) + c; }";
        assert_eq!(guard("{ let a = b + c; }", &[expression]), Ok(expected.to_owned()));
        let statement = mutant("a.clear();", "");
        let expected = "{ if crate::is_mutant(0) {  } else { a.clear(); } }";
        assert_eq!(guard("{ a.clear(); }", &[statement]), Ok(expected.to_owned()));
    }

    #[test]
    fn mutants_of_the_same_text_and_mutants_in_others_can_all_be_chosen() {
        let mutants = [mutant("f(‹a + b›)", "1"), mutant("f(‹a + b›)", "2"), mutant("a + ‹b›", "3")];
        let expected = "f((if crate::is_mutant(0) { 1 } else { (if crate::is_mutant(1) { 2 } else { a + (if \
                        crate::is_mutant(2) { 3 } else { b }) }) }))";
        assert_eq!(guard("f(a + b)", &mutants), Ok(expected.to_owned()));
    }

    #[test]
    fn what_cannot_be_found_or_told_apart_is_refused() {
        assert_eq!(guard("a; a;", &[mutant("a", "b")]), Err("mutant `m`: its text is not once in f.rs".to_owned()));
        assert_eq!(guard("a;", &[mutant("c", "b")]), Err("mutant `m`: its text is not once in f.rs".to_owned()));
        assert_eq!(guard("a;", &[mutant("‹a", "b")]), Err("mutant `m`: ‹ and › do not match, in f.rs".to_owned()));
        let overlap = "mutants `m` and `m` replace texts that overlap";
        assert_eq!(guard("a + b + c", &[mutant("a + b", "0"), mutant("b + c", "0")]), Err(overlap.to_owned()));
    }

    #[test]
    fn the_chooser_reads_the_variable() {
        assert!(CHOOSER.contains(&format!("\"{CHOICE}\"")));
    }
}
