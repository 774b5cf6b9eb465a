/**
 * `node dist/grant-role.command.js [--revoke] <email> <role>`: gives a person a role (admin_master, admin), or takes it. DATABASE_URL
 * says where.
 */
import type { SecurityEventKind } from '@decola/contracts';
import pg from 'pg';

const [flag] = process.argv.slice(2);
const isRevocation = flag === '--revoke';
const [email, role] = process.argv.slice(isRevocation ? 3 : 2);
const url = process.env['DATABASE_URL'];
if (!url || !email || !role) {
  console.error('usage: DATABASE_URL=... node dist/grant-role.command.js [--revoke] <email> <role>');
  process.exit(1);
}
const [kind, statement]: [SecurityEventKind, string] = isRevocation
  ? ['role.revoked', 'delete from user_roles where user_id = $1 and role = $2']
  : ['role.granted', 'insert into user_roles (user_id, role) values ($1, $2) on conflict do nothing'];
const client = new pg.Client({ connectionString: url });
await client.connect();
try {
  await client.query('begin');
  const { rows } = await client.query<{ id: string }>('select id from users where email = lower($1) for update', [email]);
  const [user] = rows;
  if (!user) {
    console.error('nobody has this address');
    process.exitCode = 1;
  } else {
    const { rowCount } = await client.query(statement, [user.id, role]);
    if (rowCount) await client.query('insert into security_events (user_id, kind) values ($1, $2)', [user.id, kind]);
    console.log(`${role} ${isRevocation ? 'taken; it is gone from' : 'granted; it is in'} the person's next access token`);
  }
  await client.query('commit');
} finally {
  await client.end();
}
