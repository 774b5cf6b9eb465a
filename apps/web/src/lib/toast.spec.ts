import { showToastsWith, toast } from './toast';

it('keeps what was published until the library that shows messages has loaded', () => {
  const shown: unknown[] = [];
  const record =
    (kind: string) =>
    (...values: unknown[]) => {
      shown.push([kind, ...values]);
      return 'id';
    };
  const id = toast.error('Erro ao fazer login', { description: 'Tente de novo' });
  toast.dismiss(id);
  expect(shown).toEqual([]);
  const library = Object.fromEntries(['success', 'error', 'info', 'warning', 'dismiss'].map((kind) => [kind, record(kind)]));
  showToastsWith(library as unknown as Parameters<typeof showToastsWith>[0]);
  toast.success('Salvo', { id: 'own' });
  expect(shown).toEqual([
    ['error', 'Erro ao fazer login', { description: 'Tente de novo', id }],
    ['dismiss', id],
    ['success', 'Salvo', { id: 'own' }],
  ]);
});
