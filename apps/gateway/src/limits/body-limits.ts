import { type Caller, isAdminMaster } from '@decola/service-kit';
import type { Route } from '../routing/routes.js';

const megabyte = 1024 * 1024;

/** Of every body that is not named below. */
export const defaultBodyBytes = megabyte;
/** Of rows that hold whole articles or files (rest-v1, trap 7): ten megabytes, and some for the fields around them. */
export const largeBodyBytes = 12 * megabyte;
/** Of a visitor of a prize wheel: a form of twelve fields, and a proof of work. */
export const visitBodyBytes = 16 * 1024;
/** Where no body is expected. Some clients send a short one all the same. */
export const unexpectedBodyBytes = 512;

const largeTables: ReadonlySet<string> = new Set(['blog_articles', 'extracted_data']);

/** Functions that visitors of wheels call, without an account. */
const visitorFunctions: ReadonlySet<string> = new Set(['prize-extractor', 'prize-receipt', 'lead-privacy']);

/** Methods of rest/v1 that have a body. */
const writes: ReadonlySet<string> = new Set(['POST', 'PATCH', 'PUT']);

const hasNoBody = (method: string): boolean => method === 'GET' || method === 'HEAD';

const mayWriteLarge = (table: string, caller: Caller | null): boolean =>
  table === 'blog_articles' ? caller !== null && isAdminMaster(caller) : table === 'extracted_data' && caller?.role === 'authenticated';

/** @param caller undefined before authentication: then the limit of the most privileged caller applies @returns the largest body that is accepted */
export function maxBodyBytes(route: Route, method: string, caller?: Caller | null): number {
  switch (route.api) {
    case 'rest':
      if (!writes.has(method) || route.service === null) return unexpectedBodyBytes;
      if (caller === undefined) return largeTables.has(route.name) ? largeBodyBytes : defaultBodyBytes;
      return mayWriteLarge(route.name, caller) ? largeBodyBytes : defaultBodyBytes;
    case 'functions':
      if (hasNoBody(method)) return unexpectedBodyBytes;
      return 'name' in route && visitorFunctions.has(route.name) ? visitBodyBytes : defaultBodyBytes;
    case 'auth':
    case 'storage':
    case 'webhook':
      return hasNoBody(method) ? unexpectedBodyBytes : defaultBodyBytes;
    default:
      return unexpectedBodyBytes;
  }
}
