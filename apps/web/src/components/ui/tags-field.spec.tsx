import '@testing-library/jest-dom';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { TagsField, withTags } from './tags-field';

afterEach(cleanup);

function Field({ first = [] }: { first?: string[] }) {
  const [values, setValues] = useState(first);
  return (
    <>
      <TagsField label="Palavras" values={values} onChange={setValues} />
      <output>{values.join('|')}</output>
    </>
  );
}
const values = () => screen.getByRole('status').textContent;

it('takes values one by one, pasted, and when it is left', async () => {
  const user = userEvent.setup();
  render(<Field />);
  await user.type(screen.getByLabelText('Palavras'), 'moagem{Enter}café coado,');
  expect(values()).toBe('moagem|café coado');
  await user.paste('grãos; torra\nMOAGEM,');
  expect(values()).toBe('moagem|café coado|grãos|torra');
  await user.type(screen.getByLabelText('Palavras'), 'água');
  await user.tab();
  expect(values()).toBe('moagem|café coado|grãos|torra|água');
  expect(screen.getByLabelText('Palavras')).toHaveValue('');
});

it('removes values by button, which returns the focus, and by keyboard', async () => {
  const user = userEvent.setup();
  render(<Field first={['um', 'dois', 'três']} />);
  await user.click(screen.getByRole('button', { name: 'Remover um' }));
  expect(screen.getByLabelText('Palavras')).toHaveFocus();
  await user.keyboard('{Backspace}');
  expect(values()).toBe('dois');
});

it('keeps each value once, without regard to accents and case', () => {
  expect(withTags(['Café'], 'cafe, CAFÉ,  chá   verde ,')).toEqual(['Café', 'chá verde']);
});
