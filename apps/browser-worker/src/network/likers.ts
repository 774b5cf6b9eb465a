import type { CollectedPerson } from '@decola/contracts';
import { z } from 'zod';
import { type Answer, type PageCall, rootOf, saysFailed } from './answers.js';
import { readPerson } from './people.js';
import { likersOfPath } from './routes.js';

const graphLikers = z.object({ likers_connection: z.object({ nodes: z.array(z.unknown()) }) });
const restLikers = z.object({ users: z.array(z.unknown()) });

/** True when the page asks who likes a post. */
export function isLikersCall({ friendlyName, path }: Pick<PageCall, 'friendlyName' | 'path'>): boolean {
  return likersOfPath(path) !== null || (friendlyName !== null && /^PolarisPostLikedBy\w*Query$/.test(friendlyName));
}

/**
 * Who likes a post, by GraphQL or by the older REST form; null when the answer is something else. The network shows a sample of about 100 people
 * without a further page. Rows without a username or a numeric id are left out.
 */
export function readLikers(answer: Answer): CollectedPerson[] | null {
  const graph = graphLikers.safeParse(rootOf(answer, 'fetch__XDTMediaDict'));
  const rest = likersOfPath(answer.path) === null ? null : restLikers.safeParse(answer.json);
  const rows = graph.success ? graph.data.likers_connection.nodes : rest?.data?.users;
  return rows?.flatMap((row) => readPerson(row) ?? []) ?? null;
}

/** True when the network does not show this account who likes the post, without an objection to the account. */
export function isLikersRefusal(answer: Answer): boolean {
  return isLikersCall(answer) && readLikers(answer) === null && answer.json !== null && (answer.status >= 400 || saysFailed(answer));
}
