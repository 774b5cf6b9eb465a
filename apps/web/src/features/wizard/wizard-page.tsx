import { type AutomationRow, type AutomationType, isAutomationType } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useParams, useSearchParams } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Card, Failure, Waiting } from '../../components/ui/surface';
import { client, unwrap } from '../../lib/api-client';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import { editTexts, unknownToolTexts } from './texts';
import { Wizard } from './wizard';

export function WizardPage() {
  const { type } = useParams();
  const [params] = useSearchParams();
  const editId = params.get('edit');
  if (!isAutomationType(type)) return <UnknownTool />;
  return editId ? <EditWizard key={editId} type={type} id={editId} /> : <Wizard key={type} type={type} />;
}

function UnknownTool() {
  usePageTitle(unknownToolTexts.title);
  return (
    <Card className="mx-auto max-w-md text-center">
      <h1 className="text-xl">{unknownToolTexts.title}</h1>
      <p className="mt-2 text-muted">{unknownToolTexts.text}</p>
      <Button asChild className="mt-4">
        <Link to="/adm">{unknownToolTexts.back}</Link>
      </Button>
    </Card>
  );
}

function EditWizard({ type, id }: { type: AutomationType; id: string }) {
  const { id: userId } = useUser();
  const stored = useQuery({
    queryKey: ['automation', id],
    queryFn: async () =>
      unwrap(
        await client()
          .from('automations')
          .select('name,type,configuration,is_draft,is_active,instagram_account_id,pause_cause')
          .eq('id', id)
          .eq('user_id', userId)
          .single<
            Pick<AutomationRow, 'name' | 'type' | 'configuration' | 'is_draft' | 'is_active' | 'instagram_account_id' | 'pause_cause'>
          >(),
      ),
    // A refetch would overwrite what is being typed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (stored.isPending) return <Waiting />;
  if (stored.isLoadingError) return <Failure text={editTexts.loadFailed} onRetry={() => void stored.refetch()} />;
  if (stored.data.type !== type) return <Navigate to={`/automation/${stored.data.type}?edit=${id}`} replace />;
  const { name, configuration, is_draft: isDraft, is_active: isActive, instagram_account_id: accountId, pause_cause: cause } = stored.data;
  return <Wizard type={type} editing={{ id, name, configuration, isDraft, isActive, accountId, cause }} />;
}
