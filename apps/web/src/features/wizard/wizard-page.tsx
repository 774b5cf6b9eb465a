import { type AutomationType, isAutomationType } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom';
import { useUser } from '../../app/session';
import { Button } from '../../components/ui/button';
import { Card, Failure, Waiting } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { client, dataOf } from '../../lib/runtime';
import type { Editing } from './use-save';
import { Wizard } from './wizard';

export function WizardPage() {
  const { type } = useParams();
  const [params] = useSearchParams();
  const editId = params.get('edit');
  if (!isAutomationType(type)) return <UnknownTool />;
  return editId ? <EditWizard key={editId} type={type} id={editId} /> : <Wizard key={type} type={type} />;
}

function UnknownTool() {
  usePageTitle('Automação não encontrada');
  return (
    <Card className="mx-auto max-w-md text-center">
      <h1 className="text-xl">Automação não encontrada</h1>
      <p className="mt-2 text-muted">Este endereço não leva a nenhuma ferramenta.</p>
      <Button asChild className="mt-4">
        <Link to="/adm">Voltar ao Dashboard</Link>
      </Button>
    </Card>
  );
}

function EditWizard({ type, id }: { type: AutomationType; id: string }) {
  const { id: userId } = useUser();
  const stored = useQuery({
    queryKey: ['automation', id],
    queryFn: async () =>
      dataOf(
        await client()
          .from('automations')
          .select('name,type,configuration')
          .eq('id', id)
          .eq('user_id', userId)
          .single<Pick<Editing, 'name' | 'configuration'> & { type: AutomationType }>(),
      ),
    // What is typed must not be replaced by what is stored.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (stored.isPending) return <Waiting />;
  if (stored.isLoadingError) return <Failure text="Erro ao carregar dados da automação" onRetry={() => void stored.refetch()} />;
  if (stored.data.type !== type) return <Navigate to={`/automation/${stored.data.type}?edit=${id}`} replace />;
  return <Wizard type={type} editing={{ id, name: stored.data.name, configuration: stored.data.configuration }} />;
}
