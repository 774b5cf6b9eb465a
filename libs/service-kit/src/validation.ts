import { StandardSchemaValidationPipe } from '@nestjs/common';
import { ValidationFailedError } from './errors.js';

/** Validates `@Body({ schema })` and the like. The refusal names the path and the problem, never the value. */
export function validationPipe(): StandardSchemaValidationPipe {
  return new StandardSchemaValidationPipe({
    exceptionFactory: (issues) => {
      const list = issues.map(({ path, message }) => ({
        path: (path ?? []).map((segment) => String(typeof segment === 'object' ? segment.key : segment)).join('.'),
        message,
      }));
      const [first] = list;
      return new ValidationFailedError(first ? `${first.path}${first.path ? ': ' : ''}${first.message}` : 'Invalid input', list);
    },
  });
}
