import { leadFieldProblem, visibleLeadFields } from './lead-fields.js';

const field = (name: string, required = true) => ({ id: name, name, label: name, required });

describe('the form of a wheel', () => {
  it('has the enabled fields, and asks for the handle whatever the configuration says', () => {
    expect(visibleLeadFields([])).toEqual([{ id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true }]);
    expect(
      visibleLeadFields([
        { ...field('email'), enabled: true },
        { ...field('nome'), enabled: false },
        { ...field('instagram', false), enabled: true },
      ]),
    ).toEqual([field('email'), field('instagram')]);
  });

  it.each([
    ['instagram', 'maria.silva', null],
    ['instagram', '@Maria_Silva ', null],
    ['instagram', 'duas palavras', 'Digite o seu @ como aparece no Instagram'],
    ['instagram', ' ', 'instagram é obrigatório'],
    ['email', 'ana@example.com', null],
    ['email', 'ana.example.com', 'E-mail inválido'],
    ['whatsapp', '(11) 98765-4321', null],
    ['whatsapp', '+55 11 98765-4321', null],
    ['whatsapp', '98765-4321', 'Digite o número com DDD, como (11) 98765-4321'],
    ['telefone', 'onze', 'Digite o número com DDD, como (11) 98765-4321'],
    ['endereco', 'a'.repeat(500), null],
    ['endereco', 'a'.repeat(501), 'endereco: use até 500 caracteres'],
  ])('judges %s %j', (name, answer, problem) => {
    expect(leadFieldProblem(field(name), answer)).toBe(problem);
  });

  it('lets an optional field be empty', () => {
    expect(leadFieldProblem(field('email', false), '')).toBeNull();
  });
});
