import { editorialAutomationProblem } from './editorial-automation.js';

describe('an automation of the product’s own blog', () => {
  const row = { keyword: 'seo', schedule_type: 'weekly', schedule_time: '09:00', schedule_days: [1] };

  it.each([
    [{}, null],
    [{ schedule_type: 'daily', schedule_days: null }, null],
    [{ schedule_type: 'monthly', schedule_days: null, schedule_day: 1 }, null],
    [{ keyword: ' ' }, 'Palavra-chave é obrigatória para criar automação'],
    [{ keyword: null }, 'Palavra-chave é obrigatória para criar automação'],
    [{ schedule_days: [] }, 'Selecione pelo menos um dia da semana'],
    [{ schedule_days: null }, 'Selecione pelo menos um dia da semana'],
    [{ schedule_time: '25:00' }, 'Horário é obrigatório'],
  ])('with %j is told: %s', (change, problem) => {
    expect(editorialAutomationProblem({ ...row, ...change })).toBe(problem);
  });
});
