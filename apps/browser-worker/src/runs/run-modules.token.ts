/** Nest token of the modules of all kinds of runs (`RunModules`). The composition root provides them, so that the engine imports no tool. */
export const RUN_MODULES = Symbol('RUN_MODULES');
