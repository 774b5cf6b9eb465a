import { Injectable } from '@nestjs/common';
import { PinoLogger } from 'nestjs-pino';

/** Facts of a log line by name. `err` is an error with its stack. */
export type LogFacts = Record<string, unknown>;

/**
 * Logger of a service: facts first, then the message. A line without a message does not compile. (Nest's own
 * logger takes the text after the facts for the name of a context, and logs no message.)
 */
@Injectable()
export class Logger {
  constructor(private readonly pino: PinoLogger) {}

  debug(message: string): void;
  debug(facts: LogFacts, message: string): void;
  debug(facts: LogFacts | string, message?: string): void {
    this.write('debug', facts, message);
  }

  info(message: string): void;
  info(facts: LogFacts, message: string): void;
  info(facts: LogFacts | string, message?: string): void {
    this.write('info', facts, message);
  }

  warn(message: string): void;
  warn(facts: LogFacts, message: string): void;
  warn(facts: LogFacts | string, message?: string): void {
    this.write('warn', facts, message);
  }

  error(message: string): void;
  error(facts: LogFacts, message: string): void;
  error(facts: LogFacts | string, message?: string): void {
    this.write('error', facts, message);
  }

  private write(level: 'debug' | 'info' | 'warn' | 'error', facts: LogFacts | string, message?: string): void {
    if (typeof facts === 'string') this.pino[level](facts);
    else this.pino[level](facts, message);
  }
}
