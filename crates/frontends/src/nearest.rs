//! The name that may have been meant.

/// The name most like `wanted`, for "did you mean". One edit in three letters is near, if a letter is left.
pub(crate) fn nearest<'a>(wanted: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let length = wanted.chars().count();
    known
        .map(|name| (edit_distance(wanted, name), name))
        .filter(|(distance, _)| *distance <= length.div_ceil(3) && *distance < length)
        .min_by_key(|(distance, name)| (*distance, name.to_string()))
        .map(|(_, name)| name)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + (x != *y) as usize;
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_is_near_and_another_word_is_not() {
        assert_eq!(nearest("conuter", ["counter", "turn"].into_iter()), Some("counter"));
        assert_eq!(nearest("flag", ["counter", "turn"].into_iter()), None);
        assert_eq!(nearest("Q", ["P"].into_iter()), None);
    }
}
