import './zod-without-eval';
import { globalConfig } from 'zod/v4/core';

it('reaches zod through its global settings', () => {
  expect(globalConfig.jitless).toBe(true);
});
