import { z } from 'zod';
import { jsonText } from './json-text.js';

const price = z.number().nonnegative();

/** Prices in R$ of a million tokens that a model reads and that it writes, by the name of the model: `{"gpt-x": {"input": 12.5, "output": 50}}`. */
export const pricesText = jsonText.pipe(z.record(z.string().min(1), z.strictObject({ input: price, output: price })));
export type Prices = Readonly<z.infer<typeof pricesText>>;
