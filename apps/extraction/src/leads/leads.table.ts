import { defineTable, ownRows, raw } from '@decola/table-api';

const answer = (name: string) => ({ type: 'text', expression: raw(`t.fields ->> '${name}'`) }) as const;

/** The people who spun a customer's wheels, for the page of a wheel, read-only. Newest first of one wheel: `automation_id=eq.…&order=number.desc`. */
export const leadsTable = defineTable({
  name: 'leads',
  primaryKey: 'id',
  columns: {
    id: { type: 'uuid', expression: raw('t.participation_id') },
    user_id: { type: 'uuid' },
    automation_id: { type: 'uuid' },
    extracted_data_id: { type: 'uuid' },
    number: { type: 'integer', expression: raw('t.position') },
    username: { type: 'text' },
    name: answer('nome'),
    whatsapp: answer('whatsapp'),
    telephone: answer('telefone'),
    email: answer('email'),
    address: answer('endereco'),
    prize_name: { type: 'text' },
    prize_type: { type: 'text' },
    code: { type: 'text' },
    state: { type: 'text' },
    delivered_at: { type: 'timestamptz', expression: raw(`case when t.state = 'delivered' then t.state_at end`) },
    captured_at: { type: 'timestamptz' },
    valid_until: { type: 'timestamptz' },
    accepts: { type: 'text[]', expression: raw('t.channels') },
    consent_version: { type: 'text' },
    // Codes are typed with or without hyphens.
    search: {
      type: 'text',
      expression: raw(
        `lower(concat_ws(' ', t.username, t.fields ->> 'nome', t.fields ->> 'email', t.fields ->> 'whatsapp', t.fields ->> 'telefone', t.prize_name, t.code,
          substr(t.code, 1, 4) || '-' || substr(t.code, 5, 4) || '-' || substr(t.code, 9)))`,
      ),
    },
  },
  rules: (caller) => ownRows(caller, [], ['select']),
});
