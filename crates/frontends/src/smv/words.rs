//! Words of SMV.

/// Words that cannot be names.
const KEYWORDS: &str = "A ABF ABG AF AG ASSIGN AX BU COMPASSION COMPUTE COMPWFF CONSTANTS CONSTRAINT CTLSPEC CTLWFF \
    DEFINE E EBF EBG EF EG EX F FAIRNESS FALSE FROZENVAR G H IN INIT INVAR INVARSPEC ISA IVAR JUSTICE LTLSPEC LTLWFF \
    MAX MDEFINE MIN MIRROR MODULE NAME O PRED PREDICATES PSLSPEC PSLWFF S SIMPWFF SPEC T TRANS TRUE U V VAR X Y Z \
    array bool boolean case esac extend in init integer mod next of process real resize self signed sizeof \
    swconst union unsigned uwconst word word1 xnor xor";

/// Those of them that begin a part of a module.
const SECTIONS: &str = "MODULE VAR IVAR FROZENVAR DEFINE MDEFINE CONSTANTS ASSIGN INIT TRANS INVAR FAIRNESS JUSTICE \
    COMPASSION SPEC CTLSPEC LTLSPEC INVARSPEC PSLSPEC COMPUTE ISA PRED MIRROR";

pub fn is_keyword(text: &str) -> bool {
    KEYWORDS.split_whitespace().any(|keyword| keyword == text)
}

pub fn is_section(text: &str) -> bool {
    SECTIONS.split_whitespace().any(|section| section == text)
}
