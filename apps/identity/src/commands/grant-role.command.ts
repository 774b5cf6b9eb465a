/**
 * Grants a person a role, revokes it, or lists who has which role. Reads DATABASE_URL.
 *
 *     node dist/grant-role.command.js [--revoke] <email> <role>
 *     node dist/grant-role.command.js --list
 */
import type { SecurityEventKind } from '@decola/contracts';
import pg from 'pg';

/** The roles that the product checks. */
const roles = ['admin_master', 'admin'];

const usage = `usage: DATABASE_URL=... node dist/grant-role.command.js [--revoke] <email> <${roles.join('|')}>, or --list`;

async function list(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ email: string; role: string }>(
    'select u.email, r.role from user_roles r join users u on u.id = r.user_id order by r.role, u.email',
  );
  for (const { email, role } of rows) console.log(`${role}\t${email}`);
}

/** @returns whether the person exists */
async function change(client: pg.Client, email: string, role: string, isRevocation: boolean): Promise<boolean> {
  const [kind, statement]: [SecurityEventKind, string] = isRevocation
    ? ['role.revoked', 'delete from user_roles where user_id = $1 and role = $2']
    : ['role.granted', 'insert into user_roles (user_id, role) values ($1, $2) on conflict do nothing'];
  await client.query('begin');
  const { rows } = await client.query<{ id: string }>('select id from users where email = lower($1) for update', [email]);
  const [user] = rows;
  if (user) {
    const { rowCount } = await client.query(statement, [user.id, role]);
    const record = (what: SecurityEventKind) =>
      client.query('insert into security_events (user_id, kind) values ($1, $2)', [user.id, what]);
    if (rowCount) await record(kind);
    // An access token carries the role for up to an hour; ending its session makes it invalid within seconds.
    if (rowCount && isRevocation) {
      const ended = await client.query('delete from sessions where user_id = $1', [user.id]);
      if (ended.rowCount) await record('session.ended');
    }
  }
  await client.query('commit');
  return user !== undefined;
}

const words = process.argv.slice(2);
const isList = words[0] === '--list';
const isRevocation = words[0] === '--revoke';
const [email, role, ...rest] = isList || isRevocation ? words.slice(1) : words;
const url = process.env['DATABASE_URL'];
const isComplete = isList ? email === undefined : email !== undefined && role !== undefined && roles.includes(role) && rest.length === 0;
if (!url || !isComplete) {
  console.error(usage);
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
try {
  if (!email || !role) await list(client);
  else if (await change(client, email, role, isRevocation))
    console.log(isRevocation ? `${role} revoked; the person's sessions ended` : `${role} granted; it is in the person's next access token`);
  else {
    console.error('nobody has this address');
    process.exitCode = 1;
  }
} finally {
  await client.end();
}
