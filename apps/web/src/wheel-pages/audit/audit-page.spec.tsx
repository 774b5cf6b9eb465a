import '@testing-library/jest-dom';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setConfiguration } from '../../lib/configuration';
import { auditFile, chainAutomationId, chainLines, hashAt } from '../../testing/wheel-chain';
import { AuditPage } from './audit-page';

beforeAll(() => {
  setConfiguration({ publishableKey: 'sb_publishable_test', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' });
});
afterEach(() => window.history.replaceState(null, '', '/'));

const page = (search = '') => {
  window.history.replaceState(null, '', `/auditoria${search}`);
  return render(<AuditPage />).container;
};
const choose = async (container: HTMLElement, text: string, name = 'auditoria.jsonl') => {
  const input = container.querySelector<HTMLInputElement>('input[type=file]');
  await userEvent.upload(input!, new File([text], name), { applyAccept: false });
};
const verified = async (text: string, search = '') => {
  const container = page(search);
  await choose(container, text);
  await screen.findByRole('region', { name: 'Resultado' });
  return container;
};
const checks = () =>
  within(screen.getByRole('region', { name: 'Resultado' }))
    .getAllByRole('listitem')
    .filter((item) => item.dataset['result'])
    .map((item) => `${item.dataset['result']} ${item.querySelector('b')?.textContent}`);
const marks = (container: HTMLElement) =>
  Array.from(container.querySelectorAll<HTMLElement>('[role=img] [data-mark]'), (mark) => mark.dataset['mark']);
const heading = () => within(screen.getByRole('region', { name: 'Resultado' })).getByRole('heading').textContent;

const sound = auditFile(chainLines());
const linesOf = (file: string) => file.trimEnd().split('\n');
const fileOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;
/** Changes the text of one line and keeps its hash. */
const edited = (file: string, at: number, change: (line: string) => string) =>
  fileOf(
    linesOf(file).map((each, index) => {
      if (index !== at) return each;
      const entry = JSON.parse(each) as { line: string; hash: string };
      return JSON.stringify({ ...entry, line: change(entry.line) });
    }),
  );

describe('a file that holds', () => {
  it('is verified whole, draw by draw', async () => {
    const container = await verified(auditFile(chainLines({ draws: 5, voids: [2] })));
    expect(heading()).toBe('Nada foi mudado nesta rodada');
    expect(checks()).toEqual([
      'ok A corrente está inteira',
      'ok O segredo é o prometido',
      'ok Os 5 sorteios se repetem',
      'ok O estoque fecha',
    ]);
    expect(screen.getByText('10 unidades: 4 ganhas, 6 restantes, 1 devolvida por anulação')).toBeVisible();
    expect(marks(container)).toEqual(['other', 'other', 'draw', 'voided', 'other', 'draw', 'draw', 'draw', 'other']);
    expect(screen.getByRole('img', { name: 'Corrente de 9 linhas, todas conferem' })).toBeVisible();
    expect(await screen.findAllByRole('row')).toHaveLength(6);
    expect(heading()).toBe(document.activeElement?.textContent);
  });

  it('tells what it calls the wheel, and that this was not verified', async () => {
    const [first = '', ...rest] = linesOf(sound);
    const named = (name: unknown) => fileOf([JSON.stringify({ ...(JSON.parse(first) as object), name }), ...rest]);
    await verified(named('Roleta da Ana'));
    expect(screen.getByText(/^Roleta “Roleta da Ana”, segundo o arquivo · Rodada 1/)).toBeVisible();
    cleanup();
    await verified(named({ name: 7 }));
    expect(screen.getByText(/^Rodada 1 ·/)).toBeVisible();
  });

  it('of an open round holds so far: the draws wait for the seed', async () => {
    await verified(auditFile(chainLines({ isOpen: true })));
    expect(screen.getByText('Confere até aqui')).toBeVisible();
    expect(checks()).toEqual(['ok A corrente está inteira', 'off O segredo', 'off Os 4 sorteios da rodada aberta', 'ok O estoque fecha']);
    expect(await screen.findAllByText('Falta o segredo')).toHaveLength(4);
  });

  it('shows a draw by its number, with the whole hash to compare', async () => {
    await verified(auditFile(chainLines({ draws: 60 })));
    expect(await screen.findAllByRole('row')).toHaveLength(11);
    await userEvent.click(screen.getByRole('button', { name: 'Mostrar mais' }));
    expect(await screen.findByText('nº 41')).toBeVisible();
    await userEvent.type(screen.getByRole('searchbox', { name: 'Buscar número' }), '7');
    expect(await screen.findByText(hashAt(auditFile(chainLines({ draws: 60 })), 8))).toBeVisible();
    await userEvent.type(screen.getByRole('searchbox'), '00');
    expect(await screen.findByText('Nenhum sorteio com este número neste arquivo.')).toBeVisible();
  });

  it('tells its progress, draws the last lines of a long chain, and says so', async () => {
    const container = page();
    await choose(container, auditFile(chainLines({ draws: 1_200 })));
    expect(await screen.findByRole('progressbar', { name: 'Conferência' })).toHaveAttribute('aria-valuemax', '1203');
    await screen.findByRole('region', { name: 'Resultado' });
    expect(marks(container)).toHaveLength(240);
    expect(screen.getByText(/linhas 964 a 1\.203 de 1\.203$/)).toBeVisible();
  });

  it('survives the line ends, the mark at the start and the empty lines that other programs add', async () => {
    await verified(`\uFEFF${sound.replaceAll('\n', '\r\n')}\r\n\r\n`);
    expect(heading()).toBe('Nada foi mudado nesta rodada');
  });
});

describe('a file that was tampered with', () => {
  const bad = () => checks().filter((check) => check.startsWith('bad'));

  it('says which draw was changed, and what the seed gives', async () => {
    const won = /"(caneca|vale)"/.exec(linesOf(sound)[4]?.replaceAll('\\"', '"') ?? '')?.[1];
    const container = await verified(edited(sound, 4, (line) => line.replace(`"${won}"`, won === 'vale' ? '"caneca"' : '"vale"')));
    expect(heading()).toBe('O sorteio 2 foi mudado depois de acontecer');
    expect(bad()).toEqual(['bad A corrente quebra no sorteio 2', 'bad O sorteio 2 não se repete']);
    expect(screen.getByText(`A conta dá “${won === 'vale' ? 'Vale de R$ 20' : 'Caneca'}”`)).toBeVisible();
    expect(marks(container)).toEqual(['other', 'other', 'draw', 'fault', 'unchecked', 'unchecked', 'unchecked']);
    // The faulty draw, and the one before it.
    expect(await screen.findAllByRole('row')).toHaveLength(3);
    expect(within(screen.getAllByRole('row')[1]!).getByText('Não confere')).toBeVisible();
  });

  it.each<[string, string, string, string]>([
    ['a draw that is left out', fileOf(linesOf(sound).toSpliced(4, 1)), 'Falta o sorteio 2', 'A corrente quebra no sorteio 3'],
    [
      'a draw that is there twice',
      fileOf(linesOf(sound).toSpliced(4, 0, linesOf(sound)[3]!)),
      'O sorteio 1 está fora do lugar',
      'A corrente quebra no sorteio 1',
    ],
    [
      'two draws that changed places',
      fileOf(linesOf(sound).with(3, linesOf(sound)[4]!).with(4, linesOf(sound)[3]!)),
      'Falta o sorteio 1',
      'A corrente quebra no sorteio 2',
    ],
    [
      'stock that was changed',
      edited(sound, 2, (line) => line.replace('4,4', '9,9')),
      'A linha 3 do arquivo foi mudada, tirada ou posta depois',
      'A corrente quebra na linha 3 do arquivo',
    ],
    [
      'a line that is none',
      fileOf([...linesOf(sound).slice(0, 3), '{"line":"[\\"draw\\"]","hash":"00"}']),
      'A linha 4 do arquivo foi mudada, tirada ou posta depois',
      'A corrente quebra na linha 4 do arquivo',
    ],
    ['a file that was cut', sound.slice(0, -40), 'O arquivo está cortado na linha 8', 'A corrente quebra na linha 8 do arquivo'],
    [
      'another wheel',
      sound.replace(chainAutomationId, '00000000-0000-4000-8000-000000000000'),
      'A linha 2 do arquivo foi mudada, tirada ou posta depois',
      'A corrente quebra na linha 2 do arquivo',
    ],
  ])('finds %s', async (_, file, title, check) => {
    await verified(file);
    expect(heading()).toBe(title);
    expect(bad()[0]).toBe(`bad ${check}`);
  });

  const rewritten = (change: (lines: ReturnType<typeof chainLines>) => unknown[]) =>
    auditFile(change(chainLines()) as ReturnType<typeof chainLines>);
  it.each<[string, string, string, string[]]>([
    [
      'a seed that is not the promised one',
      rewritten((lines) => lines.with(-1, ['close', 1, 'ff'.repeat(32)])),
      '',
      ['bad O segredo da rodada 1 não é o prometido'],
    ],
    [
      'a round that was opened twice',
      rewritten((lines) => lines.toSpliced(1, 0, ['open', 2, 'ab'])),
      'Na linha 3, uma rodada abre ou fecha fora de hora',
      [],
    ],
    ['a number that was left out', rewritten((lines) => lines.toSpliced(3, 1)), 'Na linha 5 deveria estar o sorteio 2', []],
    [
      'stock that forgets what was won',
      rewritten((lines) => lines.toSpliced(4, 0, ['stock', [['caneca', 'Caneca', 9, 9]]])),
      'Na linha 6, o estoque não fecha com o que já foi ganho',
      ['bad O estoque não fecha'],
    ],
    [
      'a prize that was not offered',
      rewritten((lines) => lines.with(2, ['draw', 1, '2026-11-22T12:00:01.000Z', 'carro', 'ab'])),
      'O sorteio 1 deu um prêmio que não havia',
      ['bad O sorteio 1 não se repete'],
    ],
    [
      'the return of a prize that nobody won',
      rewritten((lines) => lines.toSpliced(4, 0, ['void', 9, 'caneca'])),
      'Na linha 6, foi anulado um prêmio que ninguém ganhou',
      [],
    ],
    [
      'a line of no kind',
      rewritten((lines) => lines.toSpliced(4, 0, ['gift', 1] as never)),
      'A linha 6 do arquivo não é uma linha da corrente',
      ['bad A corrente quebra na linha 6 do arquivo'],
    ],
  ])('finds %s, even when all hashes were made anew', async (_, file, title, wrong) => {
    await verified(file);
    expect(screen.getByText('Compare com a impressão do seu comprovante e fale com quem organiza a promoção.')).toBeVisible();
    if (title) expect(heading()).toBe(title);
    expect(bad()).toEqual(expect.arrayContaining(wrong));
  });

  it('finds a whole chain made anew by the receipt’s hash', async () => {
    const other = auditFile(chainLines({ draws: 9 }));
    await verified(other, `?numero=3&impressao=${hashAt(sound, 4)}`);
    expect(checks()[0]).toBe('bad O sorteio nº 3 não é o do seu comprovante');
  });
});

describe('the draw of a receipt', () => {
  it('is found in the file', async () => {
    await verified(sound, `?numero=3&impressao=${hashAt(sound, 4)}`);
    expect(checks()[0]).toBe('ok O seu sorteio, nº 3, está na corrente');
    expect(await screen.findByText(hashAt(sound, 4))).toBeVisible();
  });

  it('is missed in a file of before it', async () => {
    await verified(sound, `?numero=12&impressao=${hashAt(sound, 4)}`);
    expect(checks()[0]).toBe('bad O seu sorteio, nº 12, não está neste arquivo');
  });

  it('is looked for in the published file', async () => {
    const calls: unknown[] = [];
    globalThis.fetch = ((address: string, init: { body: string }) => {
      calls.push([address, JSON.parse(init.body)]);
      return Promise.resolve({ ok: true, status: 200, blob: () => Promise.resolve(new Blob([sound])) });
    }) as never;
    page(`?numero=3&impressao=${hashAt(sound, 4)}&roleta=${chainAutomationId}`);
    await screen.findByRole('region', { name: 'Resultado' });
    expect(calls).toEqual([['/functions/v1/prize-audit', { automationId: chainAutomationId }]]);
    expect(checks()[0]).toBe('ok O seu sorteio, nº 3, está na corrente');
  });

  it('needs the file from the owner when it is not published, and can be asked again after a failure', async () => {
    let status = 503;
    globalThis.fetch = (() => Promise.resolve({ ok: false, status, headers: new Headers(), json: () => Promise.resolve({}) })) as never;
    page(`?roleta=${chainAutomationId}`);
    expect(await screen.findByText(/^Não conseguimos buscar a auditoria agora/)).toBeVisible();
    status = 404;
    await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByText(/^A auditoria desta roleta não está publicada/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Escolher arquivo' })).toBeVisible();
  });
});

it.each([
  ['', 'O arquivo está vazio. Baixe a auditoria de novo e escolha o arquivo inteiro.'],
  ['nome;premio\r\nAna;Caneca', /^Este arquivo não é a auditoria de uma roleta/],
  ['{"format":"other","automation":"x"}', /^Este arquivo não é a auditoria de uma roleta/],
])('refuses a file that is no audit', async (text, problem) => {
  await choose(page(), text);
  expect(await screen.findByText(problem)).toBeVisible();
});

it('takes a file that is dropped, then another one', async () => {
  const container = page();
  const zone = screen.getByRole('region', { name: 'Arquivo' });
  fireEvent.drop(zone, { dataTransfer: { files: [new File([sound], 'a.jsonl')] } });
  await screen.findByRole('region', { name: 'Resultado' });
  await userEvent.click(screen.getByRole('button', { name: 'Outro arquivo' }));
  await choose(container, auditFile([]));
  await waitFor(() => expect(heading()).toBe('Este arquivo ainda não tem sorteios'));
});
