import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { toast } from 'sonner';
import { usePageTitle } from '../../app/layout';
import { useSession } from '../../app/session';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import { Card, Skeleton, Waiting } from '../../components/ui/surface';
import { fieldText } from '../../lib/forms';
import { client, dataOf } from '../../lib/runtime';

export function AccountPage() {
  usePageTitle('Minha Conta');
  const { session, isLoading } = useSession();
  if (isLoading) return <Waiting />;
  if (!session) {
    return (
      <Card className="mx-auto mt-16 max-w-md text-center">
        <h1 className="text-xl">Acesso negado</h1>
        <p className="mt-1 text-muted">Entre na sua conta para ver esta página.</p>
        <Button asChild className="mt-4">
          <Link to="/auth">Entrar</Link>
        </Button>
      </Card>
    );
  }
  return (
    <div className="mx-auto grid max-w-2xl gap-6">
      <h1 className="text-2xl sm:text-3xl">Minha Conta</h1>
      <Profile userId={session.user.id} />
      <Email current={session.user.email ?? ''} />
      <Password />
    </div>
  );
}

function Profile({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const profile = useQuery({
    queryKey: ['profile', userId],
    queryFn: async () =>
      dataOf(await client().from('profiles').select('full_name').eq('user_id', userId).single<{ full_name: string | null }>()),
  });
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const name = fieldText(new FormData(event.currentTarget), 'full_name').trim();
    if (name === '') {
      toast.error('Nome obrigatório', { description: 'Por favor, insira seu nome completo.' });
      return;
    }
    setBusy(true);
    const saved = await client().from('profiles').update({ full_name: name }).eq('user_id', userId);
    const mirrored = saved.error ? saved : await client().auth.updateUser({ data: { full_name: name } });
    setBusy(false);
    if (saved.error ?? mirrored.error) toast.error('Erro ao atualizar perfil');
    else toast.success('Perfil atualizado');
    await queryClient.invalidateQueries({ queryKey: ['profile', userId] });
  };
  return (
    <Card>
      <h2 className="text-lg">Perfil</h2>
      {profile.isPending ? (
        <Skeleton className="mt-4 h-24" />
      ) : (
        <form className="mt-4 grid gap-4" onSubmit={(event) => void submit(event)}>
          <TextField label="Nome completo" name="full_name" autoComplete="name" defaultValue={profile.data?.full_name ?? ''} />
          <Button type="submit" isBusy={isBusy} className="justify-self-start">
            Salvar
          </Button>
        </form>
      )}
    </Card>
  );
}

function Email({ current }: { current: string }) {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = fieldText(new FormData(event.currentTarget), 'email').trim();
    if (!email.includes('@')) {
      toast.error('Email inválido', { description: 'Por favor, insira um email válido.' });
      return;
    }
    setBusy(true);
    const { error } = await client().auth.updateUser({ email }, { emailRedirectTo: `${window.location.origin}/minha-conta` });
    setBusy(false);
    if (error) toast.error('Erro ao atualizar email', { description: error.message });
    else toast.success('Email atualizado', { description: 'Verifique o novo email para confirmar a mudança.' });
  };
  return (
    <Card>
      <h2 className="text-lg">Email</h2>
      <p className="text-muted">Atual: {current}</p>
      <form className="mt-4 grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Novo email" name="email" type="email" autoComplete="email" />
        <Button type="submit" variant="outline" isBusy={isBusy} className="justify-self-start">
          Alterar email
        </Button>
      </form>
    </Card>
  );
}

function Password() {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const element = event.currentTarget;
    const form = new FormData(element);
    const [password, confirmation] = [fieldText(form, 'password'), fieldText(form, 'confirmation')];
    if (!password || !confirmation)
      return void toast.error('Campos obrigatórios', { description: 'Preencha a nova senha e a confirmação.' });
    if (password !== confirmation) return void toast.error('Senhas não coincidem');
    if (password.length < 6)
      return void toast.error('Senha muito curta', { description: 'A nova senha deve ter pelo menos 6 caracteres.' });
    setBusy(true);
    const { error } = await client().auth.updateUser({ password });
    setBusy(false);
    if (error) toast.error('Erro ao atualizar senha', { description: error.message });
    else {
      toast.success('Senha atualizada');
      element.reset();
    }
  };
  return (
    <Card>
      <h2 className="text-lg">Senha</h2>
      <form className="mt-4 grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField label="Nova senha" name="password" type="password" autoComplete="new-password" />
        <TextField label="Confirmar nova senha" name="confirmation" type="password" autoComplete="new-password" />
        <Button type="submit" variant="outline" isBusy={isBusy} className="justify-self-start">
          Alterar senha
        </Button>
      </form>
    </Card>
  );
}
