import { formatPrizeCode } from '@decola/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { instantText, leadWords } from '../texts/texts.js';

/** What a cell of a file holds; null when the network did not say it. */
export type Cell = string | number | boolean | Date | null;

/** A column of a file, in every format. */
export interface FileColumn<Row> {
  name: string;
  /** Of a spreadsheet's column, in characters, wide enough for usual values. */
  width: number;
  value: (row: Row) => Cell;
  /** `text` was typed by somebody, so that it may be a formula. `id` has more digits than a spreadsheet's numbers can hold. */
  kind: 'text' | 'id' | 'number' | 'boolean' | 'instant';
}

/** A person of a list, as the files show them. */
export interface ListPerson {
  username: string;
  full_name: string;
  user_id: string;
  /** Null where the network does not say it, as beside a comment. */
  is_private: boolean | null;
  is_verified: boolean;
  has_story: boolean | null;
  position: number;
  collected_at: Date;
}

/** A comment of a list, with who wrote it. */
export interface ListComment extends ListPerson {
  comment_id: string;
  comment_text: string;
  commented_at: Date;
  like_count: number | null;
  /** Id of the comment that it replies to; null for a comment on the post itself. */
  reply_to: string | null;
}

const profileUrl = (username: string): string => `https://www.instagram.com/${encodeURIComponent(username)}/`;

/** Columns of a file of people, in order. */
export const personColumns: readonly FileColumn<ListPerson>[] = [
  { name: 'username', width: 24, kind: 'text', value: ({ username }) => username },
  { name: 'full_name', width: 32, kind: 'text', value: ({ full_name }) => full_name },
  { name: 'user_id', width: 20, kind: 'id', value: ({ user_id }) => user_id },
  { name: 'profile_url', width: 48, kind: 'id', value: ({ username }) => profileUrl(username) },
  { name: 'is_private', width: 11, kind: 'boolean', value: ({ is_private }) => is_private },
  { name: 'is_verified', width: 11, kind: 'boolean', value: ({ is_verified }) => is_verified },
  { name: 'has_story', width: 11, kind: 'boolean', value: ({ has_story }) => has_story },
  { name: 'position', width: 10, kind: 'number', value: ({ position }) => position },
  { name: 'collected_at', width: 20, kind: 'instant', value: ({ collected_at }) => collected_at },
];

/** Columns of a file of comments, in order. */
export const commentColumns: readonly FileColumn<ListComment>[] = [
  ...personColumns,
  { name: 'comment_id', width: 20, kind: 'id', value: ({ comment_id }) => comment_id },
  { name: 'comment_text', width: 60, kind: 'text', value: ({ comment_text }) => comment_text },
  { name: 'commented_at', width: 20, kind: 'instant', value: ({ commented_at }) => commented_at },
  { name: 'like_count', width: 10, kind: 'number', value: ({ like_count }) => like_count },
  { name: 'reply_to', width: 20, kind: 'id', value: ({ reply_to }) => reply_to },
];

/** Somebody who spun a wheel, with the answers to its form. */
export interface ListLead {
  position: number;
  username: string;
  fields: Record<string, string>;
  prize_name: string;
  prize_type: keyof typeof leadWords.types;
  code: string;
  captured_at: Date;
  state: keyof typeof leadWords.states;
  delivered_at: Date | null;
  /** Channels over which news may be sent; null when the wheel asked nothing. */
  channels: string[] | null;
  consent_version: string | null;
}

const answer =
  (name: string) =>
  ({ fields }: ListLead): string | null =>
    fields[name] ?? null;

/**
 * A number as people write it, with brackets or spaces: a spreadsheet would turn E.164 with its plus into a formula, and digits alone into 5,5E+12. What is
 * no number of any country stays as it was typed.
 */
function writtenNumber(e164: string | null): string | null {
  if (e164 === null) return null;
  const number = parsePhoneNumberFromString(e164);
  if (!number) return e164;
  return number.country === 'BR' ? number.formatNational() : number.formatInternational().replace('+', '00 ');
}

const whatsappLink = (e164: string | null): string | null => (e164 === null ? null : `https://wa.me/${e164.replace(/^\+/, '')}`);

const writtenInstant = (instant: Date | null): string | null => (instant === null ? null : instantText(instant));

const accepts =
  (channel: string) =>
  ({ channels }: ListLead): string | null =>
    channels === null ? null : channels.includes(channel) ? leadWords.yes : leadWords.no;

/**
 * Columns of a file of leads, in order. All of them are texts, also in a spreadsheet: instants by the clock of the product's time zone, numbers of
 * telephones with their brackets.
 */
export const leadColumns: readonly FileColumn<ListLead>[] = [
  { name: 'data_hora', width: 20, kind: 'id', value: ({ captured_at }) => writtenInstant(captured_at) },
  { name: 'nome', width: 32, kind: 'text', value: answer('nome') },
  { name: 'instagram', width: 24, kind: 'text', value: ({ username }) => username },
  { name: 'perfil', width: 48, kind: 'id', value: ({ username }) => profileUrl(username) },
  { name: 'whatsapp', width: 18, kind: 'text', value: (lead) => writtenNumber(answer('whatsapp')(lead)) },
  { name: 'link_whatsapp', width: 32, kind: 'id', value: (lead) => whatsappLink(answer('whatsapp')(lead)) },
  { name: 'telefone', width: 18, kind: 'text', value: (lead) => writtenNumber(answer('telefone')(lead)) },
  { name: 'email', width: 32, kind: 'text', value: answer('email') },
  { name: 'endereco', width: 60, kind: 'text', value: answer('endereco') },
  { name: 'premio', width: 32, kind: 'text', value: ({ prize_name }) => prize_name },
  { name: 'tipo', width: 10, kind: 'text', value: ({ prize_type }) => leadWords.types[prize_type] },
  { name: 'codigo', width: 16, kind: 'id', value: ({ code }) => formatPrizeCode(code) },
  { name: 'situacao', width: 12, kind: 'text', value: ({ state }) => leadWords.states[state] },
  { name: 'entregue_em', width: 20, kind: 'id', value: ({ delivered_at }) => writtenInstant(delivered_at) },
  { name: 'aceita_whatsapp', width: 16, kind: 'text', value: accepts('whatsapp') },
  { name: 'aceita_email', width: 14, kind: 'text', value: accepts('email') },
  { name: 'aceita_telefone', width: 16, kind: 'text', value: accepts('telefone') },
  { name: 'versao_aceite', width: 14, kind: 'text', value: ({ consent_version }) => consent_version },
  { name: 'participacao', width: 12, kind: 'id', value: ({ position }) => String(position) },
];
