/**
 * Crosses the messages of the last release with those of this tree: what the last release sends must be readable here, and what is sent here must be
 * readable there, because replicas of both run side by side during a rollout.
 */
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { z } from 'zod';
import { samplesOf } from './samples.mjs';

/** Words of a schema that its readers alone use: no sender writes them. */
export const wordsOfReaders = new Map([['unrecognised', 'what stopSignal makes of a class of a newer release']]);

/**
 * What may differ from the last release although the check complains, each with the reason why nothing is lost.
 * @type {{ message: string, where: RegExp, because: string }[]}
 */
export const exceptions = [];

/**
 * What the folder of a release keeps of a message.
 * @param {{ name: string, version: number, schema: import('zod').ZodType }} body
 * @returns {{ name: string, version: number, reads: object, samples: unknown[] }} `reads`: the JSON Schema of its readers; `samples`: what senders write
 */
export function recordOf({ name, version, schema }) {
  const written = z.toJSONSchema(schema, { io: 'output', reused: 'inline' });
  const samples = samplesOf(written, new Set(wordsOfReaders.keys())).map((sample) => {
    const sent = schema.safeParse(sample);
    if (!sent.success)
      throw new Error(`${name}: a sample does not fit its own schema (${pathsOf(sent.error)}): tools/releases/samples.mjs`);
    return JSON.parse(JSON.stringify(sent.data));
  });
  return { name, version, reads: z.toJSONSchema(schema, { io: 'input', reused: 'inline' }), samples };
}

const pathsOf = ({ issues }) => issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`).join('; ');

/**
 * @param {ReturnType<typeof recordOf>[]} last messages of the last release
 * @param {{ name: string, version: number, schema: import('zod').ZodType }[]} bodies messages of this tree
 * @param {{ waitsForNewer: boolean }} release whether the last release lets messages wait that hold words which it does not know
 * @returns {{ problems: string[], waiting: string[] }} what breaks, and what waits until no replica of the last release runs any more
 */
export function cross(last, bodies, { waitsForNewer }) {
  const problems = [];
  const waiting = new Set();
  const here = new Map(bodies.map((body) => [body.name, body]));
  const isExcepted = (name, sentence) => exceptions.some(({ message, where }) => message === name && where.test(sentence));
  const report = (name, sentence) => !isExcepted(name, sentence) && problems.push(`${name}: ${sentence}`);
  const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, verbose: true });

  for (const { name, version, reads, samples } of last) {
    const body = here.get(name);
    if (!body) {
      report(name, 'is gone, and the last release may still send it. Keep its definition and its listeners for one more release');
      continue;
    }
    if (body.version < version) report(name, `has version ${body.version}, and the last release sent ${version}: versions only grow`);
    for (const sentence of refusals(samples, (sample) => refusedHere(body.schema, sample)))
      report(name, `this tree cannot read what the last release sends: ${sentence}`);
    const validate = ajv.compile(reads);
    for (const { sentence, isNewWord } of refusalsThere(recordOf(body).samples, validate)) {
      if (waitsForNewer && (isNewWord || body.version > version)) waiting.add(`${name}: ${sentence}`);
      else report(name, `the last release cannot read what this tree sends: ${sentence}`);
    }
  }
  return { problems, waiting: [...waiting] };
}

function refusedHere(schema, sample) {
  const read = schema.safeParse(sample);
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`);
}

/** Numbers of arrays are left out, so that the same place is named once. */
const placeOf = (path) => path.map((step) => (typeof step === 'number' || /^\d+$/.test(step) ? '*' : step)).join('.') || 'body';

const refusals = (samples, refused) => [...new Set(samples.flatMap(refused))];

function refusalsThere(samples, validate) {
  const found = new Map();
  for (const sample of samples) {
    if (validate(sample)) continue;
    const errors = relevantOf(validate.errors ?? []).map(({ keyword, instancePath, message, data }) => {
      const isWord = ['enum', 'const'].includes(keyword) && ['string', 'number'].includes(typeof data);
      return {
        isWord,
        sentence: `${placeOf(instancePath.split('/').slice(1))}: ${message}${isWord ? `, not ${JSON.stringify(data)}` : ''}`,
      };
    });
    // As in libs/messaging: one unknown word says that the message is newer.
    const isNewWord = errors.some(({ isWord }) => isWord);
    for (const { sentence } of errors.filter(({ isWord }) => isWord === isNewWord)) found.set(sentence, { sentence, isNewWord });
  }
  return [...found.values()];
}

/** Errors without those of a union's branches that the value was not meant for: another type, or another discriminator. */
function relevantOf(errors) {
  const isUnion = ({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf';
  let kept = errors.filter((error) => !isUnion(error));
  for (const { instancePath, schemaPath } of errors.filter(isUnion)) {
    const branchOf = (error) =>
      error.schemaPath.startsWith(`${schemaPath}/`) && error.instancePath.startsWith(instancePath)
        ? error.schemaPath.slice(schemaPath.length + 1).split('/')[0]
        : null;
    const isElsewhere = (error) =>
      (error.keyword === 'type' && error.instancePath === instancePath) ||
      (error.keyword === 'const' && path.posix.dirname(error.instancePath) === instancePath);
    const elsewhere = new Set(kept.filter(isElsewhere).map(branchOf));
    if (kept.some((error) => branchOf(error) !== null && !elsewhere.has(branchOf(error))))
      kept = kept.filter((error) => branchOf(error) === null || !elsewhere.has(branchOf(error)));
  }
  return kept;
}

/**
 * Objects of the samples get a member that no release knows.
 * @param {{ name: string, version: number, schema: import('zod').ZodType }[]} bodies
 * @returns {string[]} names of messages whose readers refuse it
 */
export function intolerantReaders(bodies) {
  return bodies
    .filter((body) => !recordOf(body).samples.every((sample) => body.schema.safeParse(withStranger(sample)).success))
    .map(({ name }) => name);
}

function withStranger(value) {
  if (Array.isArray(value)) return value.map(withStranger);
  if (value === null || typeof value !== 'object') return value;
  return { ...Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withStranger(each)])), memberOfTomorrow: 'x' };
}
