import { readXlsx } from 'hucre/xlsx';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { commentColumns, type ListComment, type ListPerson, personColumns } from './columns.js';
import { xlsxStream } from './xlsx.js';

const person = (changes: Partial<ListPerson> = {}): ListPerson => ({
  username: 'bia',
  full_name: 'Bia',
  user_id: '17841400000000001',
  is_private: true,
  is_verified: false,
  has_story: true,
  position: 1,
  collected_at: new Date('2026-11-21T23:30:05Z'),
  ...changes,
});

async function sheetOf(people: ListPerson[]) {
  return sheetIn(xlsxStream(personColumns, [people]));
}

async function sheetIn(stream: Readable) {
  const { sheets } = await readXlsx(new Uint8Array(await buffer(stream)), { readStyles: true });
  const [sheet] = sheets;
  if (!sheet || sheets.length !== 1) throw new Error(`${sheets.length} sheets`);
  return sheet;
}

describe('the spreadsheet of a list', () => {
  it('has numbers as numbers, dates as dates, truth values as such, and long ids as they are', async () => {
    const { rows, columns, freezePane } = await sheetOf([person()]);
    expect(rows).toEqual([
      ['username', 'full_name', 'user_id', 'profile_url', 'is_private', 'is_verified', 'has_story', 'position', 'collected_at (UTC)'],
      ['bia', 'Bia', '17841400000000001', 'https://www.instagram.com/bia/', true, false, true, 1, new Date('2026-11-21T23:30:05Z')],
    ]);
    expect(columns?.map(({ width }) => width)).toEqual([24, 32, 20, 48, 11, 11, 11, 10, 20]);
    expect(freezePane).toMatchObject({ rows: 1 });
  });

  it('has its header when the list is empty', async () => {
    expect((await sheetOf([])).rows).toHaveLength(1);
  });

  it.each(['=1+1', '+55', '-2', '@SUM(A1)', '\tx', '＝1', '=HYPERLINK("http://x","y")'])(
    'escapes %j, which a spreadsheet would run once it is copied or saved as CSV',
    async (name) => {
      expect((await sheetOf([person({ full_name: name })])).rows[1]?.[1]).toBe(`'${name}`);
    },
  );

  it('keeps every harmless name, and drops only what XML cannot hold', async () => {
    const names = ['Ana "A" <Lima> & Cia', 'Ana\nLima', '💚 Ana', "d'Ávila", '_x0041_', 'a_x0041_x0042_', ' com espaços ', ''];
    const { rows } = await sheetOf(names.map((full_name) => person({ full_name })));
    expect(rows.slice(1).map((row) => row[1] ?? '')).toEqual(names);
    const broken = ['a\u0000b', 'a\u0008b', 'a\u001Fb', 'a\uD83Db', 'a\uFFFEb'];
    const mended = await sheetOf(broken.map((full_name) => person({ full_name })));
    expect(mended.rows.slice(1).map((row) => row[1])).toEqual(['ab', 'ab', 'ab', 'a\uFFFDb', 'ab']);
  });

  it('of comments has ids as text, likes as numbers, and empty cells where the network said nothing', async () => {
    const comment: ListComment = {
      ...person({ full_name: '', is_private: null, has_story: null }),
      comment_id: '17900000000000001',
      comment_text: '=1+1',
      commented_at: new Date('2026-11-20T08:00:00Z'),
      like_count: 2,
      reply_to: null,
    };
    const { rows } = await sheetIn(xlsxStream(commentColumns, [[comment]]));
    expect(rows[0]?.slice(9)).toEqual(['comment_id', 'comment_text', 'commented_at (UTC)', 'like_count', 'reply_to']);
    const shown = rows[1]?.map((value) => value ?? '') ?? [];
    expect(shown.slice(4, 7)).toEqual(['', false, '']);
    expect(shown.slice(9, 13)).toEqual(['17900000000000001', "'=1+1", new Date('2026-11-20T08:00:00Z'), 2]);
    expect(shown[13] ?? '').toBe('');
  });
});
