/** A process that no later one with its number is mistaken for. */
export interface Identity {
  pid: number;
  start: string;
}

export function identify(pid: number): Identity | undefined;
export function isAlive(process: Identity): boolean;
export function processesMarked(variable: string, word: string): Identity[];
export function withDescendants(processes: Identity[]): Identity[];
export function endProcesses(
  processes: Identity[],
  how?: { signals?: NodeJS.Signals[]; graceMs?: number; leadsGroup?: boolean },
): Promise<void>;
