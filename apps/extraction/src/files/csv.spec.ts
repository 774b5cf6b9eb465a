import { parse } from 'csv-parse/sync';
import { csvOf, csvRecord, type CsvPerson, neutralised } from './csv.js';

const person = (changes: Partial<CsvPerson> = {}): CsvPerson => ({
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

async function textOf(people: CsvPerson[]): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of csvOf([people.map(csvRecord)])) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

describe('the file of a list', () => {
  it('has a byte order mark, exactly its columns, and one line a person', async () => {
    expect(await textOf([person()])).toBe(
      '\uFEFFusername,full_name,user_id,profile_url,is_private,is_verified,has_story,position,collected_at\r\n' +
        'bia,Bia,201,https://www.instagram.com/bia/,true,false,true,1,2026-11-21T12:00:00.000Z\r\n',
    );
  });

  it('has its header when it is empty', async () => {
    expect(await textOf([])).toBe(
      '\uFEFFusername,full_name,user_id,profile_url,is_private,is_verified,has_story,position,collected_at\r\n',
    );
  });

  it.each(['=1+1', '+55', '-2', '@SUM(A1)', '\tx', '\rx', '＝1', '=HYPERLINK("http://x","y")'])('makes %j a text', async (name) => {
    const [row] = parse<Record<string, string>>((await textOf([person({ full_name: name })])).slice(1), { columns: true });
    expect(row?.['full_name']).toBe(`'${name}`);
  });

  it('leaves harmless names as they are, with quotes, commas, line breaks and emoji', async () => {
    const names = ['Ana "A" Lima', 'Lima, Ana', 'Ana\nLima', '💚 Ana', 'a=b', "d'Ávila", ''];
    const rows = parse<Record<string, string>>((await textOf(names.map((full_name) => person({ full_name })))).slice(1), { columns: true });
    expect(rows.map((row) => row['full_name'])).toEqual(names);
    expect(names.map(neutralised)).toEqual(names);
  });
});
