import { redisClient } from './redis.js';

it('clients of different addresses share their class, whose making takes longer than their start', () => {
  const classOf = (url: string): unknown => Object.getPrototypeOf(Object.getPrototypeOf(redisClient({ url })));
  expect(classOf('redis://127.0.0.1:1')).toBe(classOf('redis://127.0.0.1:2'));
  expect(classOf('redis://127.0.0.1:1')).toHaveProperty('get');
});
