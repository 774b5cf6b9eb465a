import { randomUUID } from 'node:crypto';
import { automationDeleted, leadCaptured, userDeleted } from '@decola/contracts';
import { authenticated, eventually } from '@decola/testing';
import { parse } from 'csv-parse/sync';
import { readXlsx } from 'hucre/xlsx';
import { RetentionService } from '../src/retention/retention.service.js';
import { leadOf, openWheel } from './leads.js';
import { bench, type Bench, type Owner, siteUrl } from './support.js';

/** People who spun a customer's wheel. */
describe('the leads of a wheel', () => {
  let place: Bench;
  beforeAll(async () => {
    place = await bench();
  });
  afterAll(() => place?.dispose());

  const wheel = () => openWheel(place);
  const lead = leadOf;
  const rows = async (owner: Owner, caller = owner.userId) => {
    const answer = await fetch(`${place.url}/rest/v1/extracted_data?automation_id=eq.${owner.automationId}`, {
      headers: authenticated(caller),
    });
    return (await answer.json()) as Record<string, string | number>[];
  };
  const linesOf = async (owner: Owner) => {
    const text = await (await fetch(String((await rows(owner))[0]?.['csv_url']).replace(siteUrl, place.url))).text();
    return parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { columns: true, delimiter: ';' });
  };

  it('are one list per wheel, in the order of their draws, each once', async () => {
    const owner = await wheel();
    expect(await rows(owner)).toEqual([]);
    const [first, second] = [lead(owner, 1), lead(owner, 2)];
    for (const event of [second, first, second]) await place.publish(leadCaptured, event);
    await place.settle();
    expect(await rows(owner)).toMatchObject([
      { data_type: 'leads', total_records: 2, file_name: 'leads-Roleta Natal.csv', state: 'running' },
    ]);
    expect((await linesOf(owner)).map((line) => line['participacao'])).toEqual(['1', '2']);
    expect(await rows(owner, randomUUID())).toEqual([]);
  });

  it('are written for people: numbers that a spreadsheet keeps, links, words, and no formulas', async () => {
    const owner = await wheel();
    await place.publish(
      leadCaptured,
      lead(owner, 1, {
        handle: '@ana',
        fields: {
          nome: '=HYPERLINK("x")',
          whatsapp: '+5511987654321',
          telefone: '+551133334444',
          email: 'ana@example.com',
          endereco: 'Rua Á, 1; ap. 2',
        },
        prize: { id: 'b', name: 'Vale "10"', type: 'digital' },
      }),
    );
    await place.settle();
    expect(await linesOf(owner)).toEqual([
      {
        data_hora: '22/11/2026 09:00:01',
        nome: `'=HYPERLINK("x")`,
        instagram: 'ana',
        perfil: 'https://www.instagram.com/ana/',
        whatsapp: '(11) 98765-4321',
        link_whatsapp: 'https://wa.me/5511987654321',
        telefone: '(11) 3333-4444',
        email: 'ana@example.com',
        endereco: 'Rua Á, 1; ap. 2',
        premio: 'Vale "10"',
        tipo: 'Digital',
        codigo: '0123-4567-89M',
        situacao: 'A entregar',
        entregue_em: '',
        aceita_whatsapp: '',
        aceita_email: '',
        aceita_telefone: '',
        versao_aceite: '',
        participacao: '1',
      },
    ]);
  });

  it('are a file with semicolons, a mark of its encoding and Windows lines, and a sheet of texts alone', async () => {
    const owner = await wheel();
    const consent = { version: '1', sha256: 'ab', accepted: true, channels: ['whatsapp' as const], at: '2026-11-22T12:00:00.000Z' };
    const fields = { nome: '=1+1', whatsapp: '+5511987654321', telefone: '+14155550123', endereco: 'Rua "A"; 2º\nandar' };
    await place.publish(leadCaptured, lead(owner, 1, { handle: '@ana', fields, consent }));
    await place.settle();
    const [{ csv_url: csv, xlsx_url: xlsx } = {}] = await rows(owner);
    const open = (url: unknown) => fetch(String(url).replace(siteUrl, place.url));
    const bytes = Buffer.from(await (await open(csv)).arrayBuffer());
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const names =
      'data_hora;nome;instagram;perfil;whatsapp;link_whatsapp;telefone;email;endereco;premio;tipo;codigo;situacao;entregue_em;aceita_whatsapp;aceita_email;aceita_telefone;versao_aceite;participacao';
    const values = [
      ...['22/11/2026 09:00:01', `'=1+1`, 'ana', 'https://www.instagram.com/ana/', '(11) 98765-4321', 'https://wa.me/5511987654321'],
      ...[
        '00 1 415 555 0123',
        '',
        'Rua "A"; 2º\nandar',
        'Caneca',
        'Físico',
        '0123-4567-89M',
        'A entregar',
        '',
        'Sim',
        'Não',
        'Não',
        '1',
        '1',
      ],
    ];
    const quoted = values.map((value) => (/[";\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value));
    expect(bytes.subarray(3).toString('utf8')).toBe(`${names}\r\n${quoted.join(';')}\r\n`);
    const { sheets } = await readXlsx(new Uint8Array(await (await open(xlsx)).arrayBuffer()));
    const cells = (sheets[0]?.rows ?? []).map((row) => row.map((cell) => cell ?? ''));
    expect(cells).toEqual([names.split(';'), values]);
    expect(cells.flat().filter((cell) => typeof cell !== 'string')).toEqual([]);
  });

  it('wait for the event about their wheel', async () => {
    const automationId = randomUUID();
    const userId = randomUUID();
    const early = { automationId, userId } as Owner;
    await place.publish(leadCaptured, lead(early, 1));
    const owner = await place.open({ type: 'prize-extractor', automationId, userId, configuration: {} });
    await eventually(async () => expect(await rows(owner)).toMatchObject([{ total_records: 1 }]));
  });

  it('are gone with their wheel and their owner, and do not come back', async () => {
    for (const end of ['wheel', 'owner'] as const) {
      const owner = await wheel();
      await place.publish(leadCaptured, lead(owner, 1));
      await place.settle();
      if (end === 'wheel')
        await place.publish(automationDeleted, { automationId: owner.automationId, userId: owner.userId, type: 'prize-extractor' });
      else await place.publish(userDeleted, { userId: owner.userId, deletedAt: '2026-11-22T13:00:00.000Z' });
      await place.settle();
      await place.publish(leadCaptured, lead(owner, 2));
      await place.settle();
      expect(await rows(owner)).toEqual([]);
      expect(
        await place.dataSource.query('select 1 from leads l join extracted_data e on e.id = l.extracted_data_id where e.user_id = $1', [
          owner.userId,
        ]),
      ).toEqual([]);
    }
  });

  it('are erased one by one when 180 days have passed; the list goes on', async () => {
    const owner = await wheel();
    await place.publish(leadCaptured, lead(owner, 1, { capturedAt: '2026-01-02T12:00:00.000Z' }));
    await place.publish(leadCaptured, lead(owner, 2, { capturedAt: new Date().toISOString() }));
    await place.settle();
    await place.app.get(RetentionService).eraseExpired();
    expect(await rows(owner)).toMatchObject([{ total_records: 1, state: 'running' }]);
    expect((await linesOf(owner)).map((line) => line['participacao'])).toEqual(['2']);
  });
});
