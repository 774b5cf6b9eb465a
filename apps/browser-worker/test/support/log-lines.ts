/** A line of the worker's log. */
export interface LogLine {
  readonly level: number;
  readonly msg: string;
}

function parse(text: string): Partial<LogLine> | null {
  try {
    return JSON.parse(text) as Partial<LogLine>;
  } catch {
    return null;
  }
}

/** What a process wrote, line by line; a line that was cut off by a kill is left out. */
function linesOf(output: string): string[] {
  return output.split('\n').slice(0, -1).filter(Boolean);
}

export function logLines(output: string): LogLine[] {
  return linesOf(output).map((line) => parse(line) as LogLine);
}

/**
 * The lines that must not be in a log: those without a message, and those that contain one of the secrets, in any encoding.
 * @param output everything that a process wrote to stdout and stderr.
 */
export function badLogLines(output: string, secrets: readonly string[]): string[] {
  const forms = new Set(secrets.flatMap((secret) => [secret, decodeURIComponent(secret), encodeURIComponent(secret)]));
  return linesOf(output).filter((line) => {
    const message = parse(line)?.msg;
    return typeof message !== 'string' || message.trim() === '' || [...forms].some((form) => line.includes(form));
  });
}
