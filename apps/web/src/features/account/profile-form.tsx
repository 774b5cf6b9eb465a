import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { fieldText } from '../../lib/forms';
import { client } from '../../lib/runtime';
import { useFieldErrors } from '../../lib/use-field-errors';
import { accountKeys, profileQuery } from './account';
import { Loaded } from './settings';

export function ProfileForm({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const profile = useQuery(profileQuery(userId));
  const [isBusy, setBusy] = useState(false);
  const { form, errors, accept, clear } = useFieldErrors<'name'>();
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = fieldText(event.currentTarget, 'full_name').trim();
    if (!accept({ name: name === '' ? 'Digite como você quer ser chamado.' : null })) {
      toast.error('Nome obrigatório', { description: 'Por favor, insira seu nome completo.' });
      return;
    }
    setBusy(true);
    const saved = await client().from('profiles').update({ full_name: name }).eq('user_id', userId);
    // The header shows the name that the session carries.
    const { error } = saved.error ? saved : await client().auth.updateUser({ data: { full_name: name } });
    setBusy(false);
    if (error) {
      toast.error('Erro ao atualizar perfil', { description: 'Tente novamente em alguns instantes.' });
      return;
    }
    queryClient.setQueryData(accountKeys.profile(userId), { full_name: name });
    toast.success('Perfil atualizado');
  };
  return (
    <Loaded query={profile} failure="Não foi possível carregar seu perfil.">
      {({ full_name: name }) => (
        <form ref={form} className="grid max-w-lg gap-4" noValidate onSubmit={(event) => void submit(event)}>
          <TextField
            label="Nome completo"
            name="full_name"
            autoComplete="name"
            maxLength={200}
            required
            defaultValue={name ?? ''}
            error={errors.name}
            onChange={() => clear('name')}
          />
          <Button type="submit" isBusy={isBusy} className="justify-self-start">
            Salvar
          </Button>
        </form>
      )}
    </Loaded>
  );
}
