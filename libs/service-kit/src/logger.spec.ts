import { PinoLogger } from 'nestjs-pino';
import { AppError } from './errors.js';
import { WireErrorFilter } from './error-filter.js';
import { Logger } from './logger.js';
import { loggerOptions } from './logger-options.js';

class SilentRefusal extends AppError {
  readonly code = 'provider_unavailable';
  readonly status = 502;
  override readonly publicMessage = '';
}

const lines: Record<string, unknown>[] = [];
const stream = { write: (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>) };
// nestjs-pino has one root in a process.
const logger = new Logger(new PinoLogger({ pinoHttp: [loggerOptions('test', 'debug').pinoHttp, stream] as never }));

beforeEach(() => void lines.splice(0));

describe('Logger', () => {
  it('logs the message and the facts, at every level', () => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      logger[level]({ work: 'sweep' }, 'it was done');
      logger[level]('it was done');
    }
    expect(lines).toHaveLength(8);
    for (const line of lines) expect(line).toMatchObject({ msg: 'it was done' });
    for (const line of lines) expect(line).not.toHaveProperty('context');
    expect(lines.filter(({ work }) => work === 'sweep')).toHaveLength(4);
  });

  it('logs the message when the error has none', () => {
    logger.error({ err: new Error('') }, 'the work failed');
    expect(lines).toMatchObject([{ msg: 'the work failed', err: { type: 'Error' } }]);
  });

  it('logs the reason of a refusal whose response has no message', () => {
    const sent: unknown[] = [];
    const reply = {
      sent: false,
      status: () => reply,
      headers: () => reply,
      header: () => reply,
      send: (body: unknown) => void sent.push(body),
    };
    const request = { url: '/functions/v1/create-checkout', method: 'POST', headers: {}, id: 'request-1' };
    const host = { getType: () => 'http', switchToHttp: () => ({ getRequest: () => request, getResponse: () => reply }) };
    new WireErrorFilter(logger).catch(new SilentRefusal('the connection was cut'), host as never);
    expect(sent).toEqual([{ error: '', code: 'provider_unavailable' }]);
    expect(lines).toMatchObject([{ msg: 'refused', code: 'provider_unavailable', reason: 'the connection was cut' }]);
  });
});

/** Never called: the type check refuses a line without a message. */
export function linesWithoutMessage(): void {
  // @ts-expect-error facts alone
  logger.warn({ work: 'sweep' });
  // @ts-expect-error an error alone
  logger.error(new Error('x'));
  // @ts-expect-error Nest's form: a message, then the name of a context
  logger.error('it failed', 'Billing');
}
