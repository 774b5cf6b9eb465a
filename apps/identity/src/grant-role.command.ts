/** `node dist/grant-role.command.js <email> <role>`: gives a person a role (admin_master, admin). DATABASE_URL says where. */
import pg from 'pg';

const [email, role] = process.argv.slice(2);
const url = process.env['DATABASE_URL'];
if (!url || !email || !role) {
  console.error('usage: DATABASE_URL=... node dist/grant-role.command.js <email> <role>');
  process.exit(1);
}
const client = new pg.Client({ connectionString: url });
await client.connect();
try {
  const { rows } = await client.query<{ id: string }>('select id from users where email = lower($1)', [email]);
  const [user] = rows;
  if (!user) {
    console.error('nobody has this address');
    process.exitCode = 1;
  } else {
    await client.query('insert into user_roles (user_id, role) values ($1, $2) on conflict do nothing', [user.id, role]);
    console.log(`${role} granted; it is in the person's next access token`);
  }
} finally {
  await client.end();
}
