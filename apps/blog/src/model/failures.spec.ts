import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from 'openai';
import { BrokenAnswerError, failureOf } from './failures.js';

const now = new Date('2026-11-22T12:00:00Z');
const answered = (status: number, error: Record<string, unknown>, headers: Record<string, string> = {}) =>
  failureOf(APIError.generate(status, { error }, undefined, new Headers(headers)), now);

describe('failureOf', () => {
  it.each([
    ['an empty account', 429, { code: 'insufficient_quota', type: 'insufficient_quota' }, 'quota'],
    ['a balance of zero', 402, { message: 'Insufficient Balance' }, 'quota'],
    ['a wrong key', 401, { code: 'invalid_api_key' }, 'key'],
    ['a key without rights', 403, { message: 'forbidden' }, 'key'],
    ['an unknown model', 404, { code: 'model_not_found' }, 'model'],
    ['an unknown model, told as a bad request', 400, { code: 'model_not_found' }, 'model'],
  ])('waits for an operator after %s', (_, status, error, why) => {
    expect(answered(status, error)).toEqual({ kind: 'down', why });
  });

  it('takes a quota with a time to come back for a rate', () => {
    expect(answered(429, { code: 'insufficient_quota' }, { 'retry-after': '20' })).toEqual({
      kind: 'transient',
      retryAfterMs: 20_000,
      mayCost: false,
    });
  });

  it('reads when to come back: in milliseconds, in seconds, as a date', () => {
    const retryAfterMs = (headers: Record<string, string>) => {
      const failure = answered(429, { message: 'slow down' }, headers);
      return failure.kind === 'transient' ? failure.retryAfterMs : 'none';
    };
    expect(retryAfterMs({ 'retry-after-ms': '1500', 'retry-after': '9' })).toBe(1_500);
    expect(retryAfterMs({ 'retry-after': '9' })).toBe(9_000);
    expect(retryAfterMs({ 'retry-after': 'Sun, 22 Nov 2026 12:00:30 GMT' })).toBe(30_000);
    expect(retryAfterMs({ 'retry-after': 'soon' })).toBeNull();
    expect(retryAfterMs({})).toBeNull();
  });

  it.each([500, 502, 503, 529, 408])('repeats a call after status %i, which costs nothing', (status) => {
    expect(answered(status, { message: 'x' })).toEqual({ kind: 'transient', retryAfterMs: null, mayCost: false });
  });

  it('repeats a call whose connection broke, and counts it unless nothing was sent', () => {
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    const cause = new TypeError('fetch failed', { cause: refused });
    expect(failureOf(new APIConnectionError({ cause }), now)).toMatchObject({ kind: 'transient', mayCost: false });
    expect(failureOf(new APIConnectionError({ cause: new Error('socket hang up') }), now)).toMatchObject({ mayCost: true });
    expect(failureOf(new APIConnectionTimeoutError(), now)).toMatchObject({ kind: 'transient', mayCost: true });
    expect(failureOf(new BrokenAnswerError('the stream was cut'), now)).toMatchObject({ kind: 'transient', mayCost: true });
    expect(failureOf(new BrokenAnswerError('HTML', { mayCost: false }), now)).toMatchObject({ kind: 'transient', mayCost: false });
    expect(failureOf(new SyntaxError('Unexpected end of JSON input'), now)).toMatchObject({ kind: 'transient' });
    expect(failureOf(new OpenAI.APIUserAbortError(), now)).toMatchObject({ kind: 'transient', mayCost: true });
  });

  it.each([
    ['OpenAI', { code: 'content_policy_violation' }],
    ['Azure', { code: 'content_filter', innererror: { code: 'ResponsibleAIPolicyViolation' } }],
    ['words alone', { message: 'rejected by our safety system' }],
  ])('knows a content filter: %s', (_, error) => {
    expect(answered(400, error)).toEqual({ kind: 'refused' });
  });

  it.each([
    ['response_format', { message: "'response_format.type' must be 'json_schema' or 'text'" }],
    ['response_format', { message: 'json_schema is not supported' }],
    ['max_completion_tokens', { message: 'Unrecognized request argument supplied: max_completion_tokens' }],
    ['stream_options', { message: 'bad', param: 'stream_options' }],
  ])('finds the parameter that a server does not know: %s', (parameter, error) => {
    expect(answered(400, error)).toEqual({ kind: 'unsupported', parameter });
    expect(answered(422, error)).toEqual({ kind: 'unsupported', parameter });
  });

  it('does not repeat a request that the server would refuse again', () => {
    expect(answered(400, { code: 'context_length_exceeded', message: 'too long' })).toEqual({ kind: 'request' });
    expect(answered(413, { message: 'too large' })).toEqual({ kind: 'request' });
  });
});
