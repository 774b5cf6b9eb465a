import { buffer } from 'node:stream/consumers';
import { type Office, testOffice } from '@decola/testing';
import { parse } from 'csv-parse/sync';
import { leadColumns, type ListLead } from '../src/files/columns.js';
import { csvStream } from '../src/files/csv.js';
import { xlsxStream } from '../src/files/xlsx.js';

const lead = (position: number, changes: Partial<ListLead> = {}): ListLead => ({
  position,
  username: 'joao.sa',
  fields: {},
  prize_name: 'Café à moda',
  prize_type: 'physical',
  code: '0123456789M',
  captured_at: new Date('2026-11-02T12:00:01Z'),
  state: 'won',
  delivered_at: null,
  channels: null,
  consent_version: null,
  ...changes,
});

const leads = [
  lead(1, {
    fields: {
      nome: 'João Conceição "Jô"',
      whatsapp: '+5511987654321',
      telefone: '+551133334444',
      email: 'joao@example.com',
      endereco: 'Rua Á; nº 2\nfundos, à direita',
    },
    channels: ['whatsapp'],
    consent_version: '1-ab12cd34ef567890',
    state: 'delivered',
    delivered_at: new Date('2026-12-01T15:30:00Z'),
  }),
  // A spreadsheet would calculate its name, and read its code as the number 12·10^34.
  lead(2, { username: '_ana_', fields: { nome: '=1+1', whatsapp: '+14155550123' }, code: '12E34567890', prize_type: 'digital' }),
];

const expected = [
  {
    ...{
      data_hora: '02/11/2026 09:00:01',
      nome: 'João Conceição "Jô"',
      instagram: 'joao.sa',
      perfil: 'https://www.instagram.com/joao.sa/',
    },
    ...{ whatsapp: '(11) 98765-4321', link_whatsapp: 'https://wa.me/5511987654321', telefone: '(11) 3333-4444', email: 'joao@example.com' },
    ...{ endereco: 'Rua Á; nº 2\nfundos, à direita', premio: 'Café à moda', tipo: 'Físico', codigo: '0123-4567-89M', situacao: 'Entregue' },
    ...{ entregue_em: '01/12/2026 12:30:00', aceita_whatsapp: 'Sim', aceita_email: 'Não', aceita_telefone: 'Não' },
    ...{ versao_aceite: '1-ab12cd34ef567890', participacao: '1' },
  },
  {
    ...{ data_hora: '02/11/2026 09:00:01', nome: `'=1+1`, instagram: '_ana_', perfil: 'https://www.instagram.com/_ana_/' },
    ...{ whatsapp: '00 1 415 555 0123', link_whatsapp: 'https://wa.me/14155550123', telefone: '', email: '' },
    ...{ endereco: '', premio: 'Café à moda', tipo: 'Digital', codigo: '12E3-4567-890', situacao: 'A entregar' },
    ...{ entregue_em: '', aceita_whatsapp: '', aceita_email: '', aceita_telefone: '', versao_aceite: '', participacao: '2' },
  },
];

/** The rows that a person sees, by the names of the columns. @param numbers receives the name of each column with a cell that is no text */
function rowsOf(shown: string, numbers: Set<string>) {
  return parse<Record<string, string>>(shown, {
    columns: true,
    cast: (value, { header, quoting, column }) => {
      if (!header && !quoting && value !== '') numbers.add(String(column));
      return value;
    },
  });
}

describe('a file of leads, opened by LibreOffice in Portuguese', () => {
  let office: Office;
  beforeAll(async () => {
    office = await testOffice();
  }, 600_000);
  afterAll(() => office?.dispose());

  it('keeps telephone numbers, codes, accents and line breaks of the CSV', async () => {
    const content = await buffer(csvStream(leadColumns, [leads]));
    const numbers = new Set<string>();
    expect(rowsOf(await office.open({ content, type: 'csv' }), numbers)).toEqual(expected);
    // Instants are dates there, and can be sorted.
    expect([...numbers].sort()).toEqual(['data_hora', 'entregue_em', 'participacao']);
  });

  it('keeps every cell of the XLSX as a text', async () => {
    const content = await buffer(xlsxStream(leadColumns, [leads]));
    const numbers = new Set<string>();
    expect(rowsOf(await office.open({ content, type: 'xlsx' }), numbers)).toEqual(expected);
    expect([...numbers]).toEqual([]);
  });
});
