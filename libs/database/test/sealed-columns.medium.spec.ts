import { randomBytes } from 'node:crypto';
import { type KeyRing, parseKeyRing, Sealer } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { dataSourceOptions, keyUses, resealColumn, ringReport, type SealedColumn } from '../src/index.js';
import { ownDatabase } from './own-database.js';

const key = () => randomBytes(32).toString('base64');

const column: SealedColumn = {
  table: 'secrets',
  column: 'sealed',
  reseal: {
    key: { owner: 'text', number: 'bigint' },
    bound: ['kind'],
    additionalData: ({ owner, number, kind }) => `${owner}|${number}|${kind}`,
  },
};

describe('sealed columns', () => {
  const [k0, k1, k2] = [key(), key(), key()];
  const ring = (text: string) => parseKeyRing(text, 'SECRETS_KEY_RING');
  const accepting = ring(`active=k1;k1:${k1},k2:${k2}`);
  const using = ring(`active=k2;k1:${k1},k2:${k2}`);
  let db: DataSource;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const database = await ownDatabase();
    ({ drop } = database);
    const url = new URL(database.url);
    // Commits need not wait for the disk here.
    url.searchParams.set('options', '-c synchronous_commit=off');
    db = await new DataSource(dataSourceOptions({ url: url.href, poolSize: 4 })).initialize();
    await db.query('create table secrets (owner text, number bigint, kind text not null, sealed text, primary key (owner, number))');
  });
  beforeEach(() => db.query('truncate secrets'));
  afterAll(async () => {
    await db?.destroy();
    await drop?.();
  });

  const plain = (owner: string, number: number) => `secret of ${owner} ${number}`;
  const add = (by: KeyRing, owner: string, number: number) =>
    db.query('insert into secrets values ($1, $2, $3, $4)', [
      owner,
      number,
      'x',
      new Sealer(by).seal(plain(owner, number), `${owner}|${number}|x`),
    ]);
  const opened = async (by: KeyRing) => {
    const rows = await db.query<{ owner: string; number: string; sealed: string }[]>(
      'select owner, number, sealed from secrets where sealed is not null order by owner, number',
    );
    return rows.map(({ owner, number, sealed }) => new Sealer(by).open(sealed, `${owner}|${number}|x`));
  };
  const reseal = (by = using) => resealColumn(db, column, { sealer: new Sealer(by), ring: by });
  const report = async (by: KeyRing) => ringReport(by, await keyUses(db, [column]), ['a note']);

  it('say which keys sealed how many rows, and which may be removed', async () => {
    await add(ring(`k1:${k1}`), 'ana', 1);
    await db.query(`insert into secrets values ('ana', 2, 'x', null)`);
    expect(await report(accepting)).toEqual({
      lines: [
        'SECRETS_KEY_RING',
        '  k1               seals    secrets.sealed 1',
        '  k2               opens    nothing stored: may be removed when no service seals with it',
        '  a note',
      ],
      isKeyMissing: false,
    });
    await add(using, 'ana', 3);
    await add(ring(`k0:${k0}`), 'bia', 1);
    expect(await report(using)).toEqual({
      lines: [
        'SECRETS_KEY_RING',
        '  k1               opens    secrets.sealed 1: keep it, or run reseal',
        '  k2               seals    secrets.sealed 1',
        '  k0               MISSING  secrets.sealed 1: cannot be opened; put the key back',
        '  a note',
      ],
      isKeyMissing: true,
    });
  });

  it('are sealed again with the active key, in the order of their keys, and open without the old one', async () => {
    // More than a batch, and numbers whose order as text is another one.
    for (const owner of ['ana', 'bia']) await Promise.all(Array.from({ length: 260 }, (_, index) => add(accepting, owner, index + 1)));
    const before = await opened(accepting);
    expect(await reseal()).toEqual({ sealed: 520, unopened: 0, skipped: 0 });
    expect(await opened(ring(`k2:${k2}`))).toEqual(before);
    expect(await reseal()).toEqual({ sealed: 0, unopened: 0, skipped: 0 });
  });

  it('keep what no key of the ring opens, byte for byte', async () => {
    await add(ring(`k0:${k0}`), 'ana', 1);
    await add(ring(`k1:${k0}`), 'bia', 1);
    await db.query(`insert into secrets values ('cida', 1, 'x', 'v1.k1')`);
    const before = await db.query('select * from secrets order by owner');
    expect(await reseal()).toEqual({ sealed: 0, unopened: 2, skipped: 0 });
    expect(await db.query('select * from secrets order by owner')).toEqual(before);
  });

  it('keep what a service writes meanwhile, and a row that it holds is left to the next run', async () => {
    for (const owner of ['ana', 'bia', 'cida']) await add(accepting, owner, 1);
    const service = db.createQueryRunner();
    await service.connect();
    await service.startTransaction();
    await service.query(`update secrets set sealed = null where owner = 'ana'`);
    const first = reseal();
    expect(await first).toEqual({ sealed: 2, unopened: 0, skipped: 1 });
    await service.commitTransaction();
    await service.release();
    expect(await reseal()).toEqual({ sealed: 0, unopened: 0, skipped: 0 });
    expect(await opened(using)).toEqual([plain('bia', 1), plain('cida', 1)]);
  });

  it('are not sealed again while the new key is only accepted', async () => {
    await add(accepting, 'ana', 1);
    expect(await reseal(accepting)).toEqual({ sealed: 0, unopened: 0, skipped: 0 });
  });
});
