import { ServerFeatures } from './server-features.js';

const now = new Date('2026-11-22T12:00:00Z');
const tomorrow = new Date('2026-11-23T12:00:01Z');

describe('ServerFeatures', () => {
  it('steps down from one format to the next, and forgets it after a day', () => {
    const features = new ServerFeatures('auto');
    const formats = [features.of('m', now).format];
    while (features.stepDown('m', 'response_format', now)) formats.push(features.of('m', now).format);
    expect(formats).toEqual(['json_schema', 'json_object', 'text']);
    expect(features.of('another', now).format).toBe('json_schema');
    expect(features.of('m', tomorrow).format).toBe('json_schema');
  });

  it('keeps a configured format', () => {
    const features = new ServerFeatures('json_object');
    expect(features.stepDown('m', 'response_format', now)).toBe(false);
    expect(features.of('m', now).format).toBe('json_object');
  });

  it('remembers other parameters beside the format', () => {
    const features = new ServerFeatures('auto');
    expect(features.stepDown('m', 'response_format', now)).toBe(true);
    expect(features.stepDown('m', 'max_completion_tokens', now)).toBe(true);
    expect(features.stepDown('m', 'stream_options', now)).toBe(true);
    expect(features.of('m', now)).toEqual({ format: 'json_object', knowsCompletionTokens: false, knowsStreamOptions: false });
    expect(features.stepDown('m', 'stream_options', now)).toBe(false);
  });
});
