import { instantOf, localTime, nextEvent } from './local-time';
import { leadFieldsOf, moved, newPrize, prizesOf } from './prizes';
import { warnedKindOf } from './prize-warnings';
import { drawTrial, fullStock } from './trial-draw';

const prizes = (...quantities: number[]) =>
  quantities.map((quantity, index) => ({ ...newPrize(), id: `p${index}`, name: `Prêmio ${index}`, quantity }));

describe('the list of prizes', () => {
  it('moves a prize within the list and not out of it', () => {
    const list = prizes(1, 2, 3);
    const order = (next: typeof list) => next.map(({ id }) => id).join(' ');
    expect(order(moved(list, 0, 1))).toBe('p1 p0 p2');
    expect(order(moved(list, 2, -1))).toBe('p0 p2 p1');
    expect(order(moved(list, 0, -1))).toBe('p0 p1 p2');
    expect(order(moved(list, 2, 1))).toBe('p0 p1 p2');
  });

  it('gives every new prize an id of its own', () => {
    expect(new Set(Array.from({ length: 200 }, () => newPrize().id)).size).toBe(200);
  });

  it('shows one empty row for a configuration without prizes, and reads whatever a draft holds', () => {
    expect(prizesOf({})).toMatchObject([{ id: '1', name: '', quantity: 1 }]);
    expect(prizesOf({ prizes: [null, 7, { id: 'a', name: 'Café', quantity: 'x' }] })).toEqual([
      { id: 'a', name: 'Café', quantity: 0, type: 'digital', message: '' },
    ]);
  });

  it('shows the six fields of the form whatever is stored, with further ones last', () => {
    const fields = leadFieldsOf({
      leadFields: [
        { id: 'x', name: 'cidade', label: 'Cidade', enabled: true, required: true },
        { id: 'email', name: 'email', label: 'Seu e-mail', enabled: true, required: false },
      ],
    });
    expect(fields.map(({ name, enabled }) => `${name}${enabled ? '+' : ''}`).join(' ')).toBe(
      'nome instagram whatsapp email+ telefone endereco cidade+',
    );
    expect(fields.find(({ name }) => name === 'email')).toMatchObject({ label: 'Seu e-mail' });
  });
});

describe('a trial draw', () => {
  it('gives every unit the same chance', () => {
    const list = prizes(1, 0, 3);
    expect([0, 0.24, 0.25, 0.5, 0.999].map((random) => drawTrial(list, fullStock(list), random))).toEqual([0, 0, 2, 2, 2]);
  });

  it('draws nothing when no unit is left', () => {
    expect(drawTrial(prizes(0, 0), fullStock(prizes(0, 0)), 0.5)).toBeNull();
    expect(drawTrial([], {}, 0.5)).toBeNull();
    const list = prizes(2, 1);
    expect(drawTrial(list, { p0: 0, p1: 1 }, 0)).toBe(1);
  });
});

describe('local times', () => {
  it('are those of São Paulo, whatever the zone of the browser', () => {
    expect(localTime('2026-12-23T00:30:00Z')).toBe('2026-12-22T21:30');
    expect(instantOf('2026-12-22T21:30')).toBe('2026-12-22T21:30:00-03:00');
    expect(localTime(instantOf('2026-12-22T21:30'))).toBe('2026-12-22T21:30');
  });

  it('are empty for none and for what is not finished', () => {
    expect([null, undefined, '', 'amanhã'].map(localTime)).toEqual(['', '', '', '']);
    expect(['', '2026-12-22'].map(instantOf)).toEqual([null, null]);
  });

  it('propose an event from the next full hour on', () => {
    expect(nextEvent(new Date('2026-11-22T12:10:00Z'))).toEqual({
      from: '2026-11-22T10:00:00-03:00',
      until: '2026-11-22T20:00:00-03:00',
    });
  });
});

describe('prizes that promotions may not give', () => {
  it.each([
    ['R$ 50', 'money'],
    ['100 reais', 'money'],
    ['Pix de R$ 200', 'money'],
    ['Vale-compras em dinheiro', 'money'],
    ['Remédio para dor', 'medicine'],
    ['Caneta Ozempic', 'medicine'],
    ['Munição 9mm', 'weapons'],
    ['Fogos de artifício', 'weapons'],
    ['Cerveja artesanal', 'alcohol'],
    ['Garrafa de VINHO', 'alcohol'],
    ['Cachaça', 'alcohol'],
    ['Vape descartável', 'tobacco'],
    ['Charutos cubanos', 'tobacco'],
  ])('%s is taken for %s', (name, kind) => expect(warnedKindOf(name)).toBe(kind));

  it.each([
    '',
    'Café grátis',
    'R$ 50 de desconto',
    'Cupom de 20 reais',
    '10% off',
    'Vale-presente de R$ 100',
    'Cerveja sem álcool',
    'Taça de vinho personalizada',
    'Camiseta Armani',
    'Alarme de carro',
    'Ginástica: 1 mês',
    'Perfumes',
    'Cashback no app',
  ])('%s is not warned of', (name) => expect(warnedKindOf(name)).toBeNull());
});
