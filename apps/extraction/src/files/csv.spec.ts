import { parse } from 'csv-parse/sync';
import { escapeFormula } from '@decola/service-kit';
import { csvStream } from './csv.js';
import { commentColumns, type ListComment, type ListPerson, personColumns } from './columns.js';

const person = (changes: Partial<ListPerson> = {}): ListPerson => ({
  username: 'bia',
  full_name: 'Bia',
  user_id: '201',
  is_private: true,
  is_verified: false,
  has_story: true,
  position: 1,
  collected_at: new Date('2026-11-21T12:00:00Z'),
  ...changes,
});

async function textOf(people: ListPerson[]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of csvStream(personColumns, [people])) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

describe('the file of a list', () => {
  it('has a byte order mark, exactly its columns, and one line per person', async () => {
    expect(await textOf([person()])).toBe(
      '\uFEFFusername;full_name;user_id;profile_url;is_private;is_verified;has_story;position;collected_at\r\n' +
        'bia;Bia;201;https://www.instagram.com/bia/;true;false;true;1;2026-11-21T12:00:00.000Z\r\n',
    );
  });

  it('has its header when the list is empty', async () => {
    expect(await textOf([])).toBe(
      '\uFEFFusername;full_name;user_id;profile_url;is_private;is_verified;has_story;position;collected_at\r\n',
    );
  });

  it.each(['=1+1', '+55', '-2', '@SUM(A1)', '\tx', '\rx', '＝1', '=HYPERLINK("http://x","y")'])(
    'escapes %j, which a spreadsheet would run as a formula',
    async (name) => {
      const [row] = parse<Record<string, string>>((await textOf([person({ full_name: name })])).slice(1), {
        columns: true,
        delimiter: ';',
      });
      expect(row?.['full_name']).toBe(`'${name}`);
    },
  );

  it('keeps harmless names unchanged, with quotes, commas, semicolons, line breaks and emoji', async () => {
    const names = ['Ana "A" Lima', 'Lima, Ana', 'Lima; Ana', 'Ana\nLima', '💚 Ana', 'a=b', "d'Ávila", ''];
    const rows = parse<Record<string, string>>((await textOf(names.map((full_name) => person({ full_name })))).slice(1), {
      columns: true,
      delimiter: ';',
    });
    expect(rows.map((row) => row['full_name'])).toEqual(names);
    expect(names.map(escapeFormula)).toEqual(names);
  });

  it('of comments has who wrote each and the comment, and nothing where the network said nothing', async () => {
    const comment = (changes: Partial<ListComment>): ListComment => ({
      ...person({ full_name: '', is_private: null, has_story: null }),
      comment_id: '17900000000000001',
      comment_text: 'eu quero',
      commented_at: new Date('2026-11-20T08:00:00Z'),
      like_count: 2,
      reply_to: null,
      ...changes,
    });
    const comments = [
      comment({}),
      comment({ position: 2, comment_id: '17900000000000002', comment_text: '=SOMA(A1)', like_count: null, reply_to: '17900000000000001' }),
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of csvStream(commentColumns, [comments])) chunks.push(chunk as Buffer);
    const start = 'bia;;201;https://www.instagram.com/bia/;;false;;';
    expect(Buffer.concat(chunks).toString('utf8')).toBe(
      '\uFEFFusername;full_name;user_id;profile_url;is_private;is_verified;has_story;position;collected_at;comment_id;comment_text;commented_at;like_count;reply_to\r\n' +
        `${start}1;2026-11-21T12:00:00.000Z;17900000000000001;eu quero;2026-11-20T08:00:00.000Z;2;\r\n` +
        `${start}2;2026-11-21T12:00:00.000Z;17900000000000002;'=SOMA(A1);2026-11-20T08:00:00.000Z;;17900000000000001\r\n`,
    );
  });
});
