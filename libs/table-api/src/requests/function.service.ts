import { transactionWithRetry } from '@decola/database';
import type { Caller } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { ArgumentType, FunctionClient, FunctionDefinition } from '../definition/definition.js';
import { badBody, fromDatabase, notOneRow, RestError, shownName } from '../errors/errors.js';
import { parseRequest } from '../grammar/request.js';
import { parseBraces } from '../grammar/filters.js';
import { contentTypes, mediaTypeOf, type TableAnswer, toCsv } from './answer.js';

export interface FunctionRequest {
  method: string;
  query: string;
  body: unknown;
  accept: string | undefined;
  caller: Caller;
  /** Default: nothing is known. */
  client?: FunctionClient;
}

const unknownClient: FunctionClient = { network: null, userAgent: null };

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Calls functions by name with named arguments (rest/v1/rpc). */
@Injectable()
export class FunctionService {
  constructor(private readonly dataSource: DataSource) {}

  async handle(functions: ReadonlyMap<string, FunctionDefinition>, functionName: string, request: FunctionRequest): Promise<TableAnswer> {
    const isGet = request.method === 'GET' || request.method === 'HEAD';
    if (!isGet && request.method !== 'POST') throw new RestError(405, 'PGRST101', `Cannot use the ${request.method} method on RPC`);
    const given = isGet ? Object.fromEntries(parseRequest(request.query, { filters: false }).rest) : objectOf(request.body);
    const definition = functions.get(functionName);
    if (!definition || !accepts(definition, given)) throw unknownFunction(functionName, Object.keys(given));
    if (isGet && definition.volatile) throw new RestError(405, '25006', `cannot execute ${functionName} in a read-only transaction`);
    const args = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, convert(value, definition.arguments[key] ?? 'text', key)]),
    );
    const media = mediaTypeOf(request.accept);
    try {
      const result = await transactionWithRetry(this.dataSource, (manager) =>
        definition.call({ manager, caller: request.caller, client: request.client ?? unknownClient }, args as Record<string, never>),
      );
      if (definition.returns === 'void') return { status: 204, headers: {}, body: '' };
      if (media === 'object' && Array.isArray(result)) {
        if (result.length !== 1) throw notOneRow(result.length);
        return {
          status: 200,
          headers: { 'content-type': contentTypes.object },
          body: JSON.stringify(result[0]),
        };
      }
      if (media === 'csv' && definition.returns === 'set')
        return { status: 200, headers: { 'content-type': contentTypes.csv }, body: toCsv(JSON.stringify(result)) };
      return {
        status: 200,
        headers: { 'content-type': contentTypes.json },
        body: request.method === 'HEAD' ? '' : JSON.stringify(result ?? null),
      };
    } catch (error) {
      throw fromDatabase(error, functionName);
    }
  }
}

function objectOf(body: unknown): Record<string, unknown> {
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('Empty or invalid json');
  return body as Record<string, unknown>;
}

function accepts(definition: FunctionDefinition, given: Record<string, unknown>): boolean {
  const names = Object.keys(definition.arguments);
  return Object.keys(given).every((key) => names.includes(key)) && names.every((key) => key in given || definition.optional?.includes(key));
}

/** Names of arguments that an error repeats. */
/** How many argument names an error message lists. */
const maxListedNames = 20;

function unknownFunction(functionName: string, names: string[]): RestError {
  const listed = names.slice(0, maxListedNames).sort().map(shownName);
  if (names.length > maxListedNames) listed.push('…');
  const shown = `public.${functionName}${names.length === 0 ? '' : `(${listed.join(', ')})`}`;
  return new RestError(
    404,
    'PGRST202',
    `Could not find the function ${shown}${names.length === 0 ? ' without parameters' : ''} in the schema cache`,
  );
}

/** A JSON scalar as text. */
const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function convert(value: unknown, type: ArgumentType, key: string): unknown {
  if (value === null) return null;
  const wrong = (shown: string) => new RestError(400, '22P02', `invalid input syntax for type ${type}: "${shown.slice(0, 100)}"`);
  switch (type) {
    case 'text':
      if (typeof value === 'object') throw wrong(JSON.stringify(value));
      return plain(value);
    case 'uuid':
      if (typeof value !== 'string' || !uuidPattern.test(value)) throw wrong(typeof value === 'string' ? value : JSON.stringify(value));
      return value.toLowerCase();
    case 'integer': {
      const text = plain(value);
      if (!/^-?\d{1,10}$/.test(text)) throw wrong(text);
      return Number(text);
    }
    case 'boolean':
      if (!['true', 'false', 't', 'f'].includes(plain(value))) throw wrong(plain(value));
      return plain(value).startsWith('t');
    case 'text[]': {
      const list: unknown = typeof value === 'string' ? parseBraces(value) : value;
      if (!Array.isArray(list) || !list.every((item): item is string => typeof item === 'string'))
        throw new RestError(400, '22P02', `malformed array for ${key}`);
      return list;
    }
  }
}
