use super::program::Program;
pub fn shrink(program: &Program, _fails: &mut dyn FnMut(&Program) -> bool) -> Program {
    program.clone()
}
