import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Card, Failure, Waiting } from '../../components/ui/surface';
import { client, unwrap } from '../../lib/api-client';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import type { StoredBlogAutomation } from './blog-draft';
import { BlogWizard } from './blog-wizard';
import { pageTexts as texts } from './texts';

/** The wizard of articles for a customer's site; `?edit=` names the automation that is edited. */
export function BlogWizardPage() {
  const [params] = useSearchParams();
  const editId = params.get('edit');
  return editId ? <EditBlogWizard key={editId} id={editId} /> : <BlogWizard key="new" />;
}

function EditBlogWizard({ id }: { id: string }) {
  const { id: userId } = useUser();
  const stored = useQuery({
    queryKey: ['blog_automation', id],
    queryFn: async () =>
      unwrap(await client().from('blog_automations').select('*').eq('id', id).eq('user_id', userId).single<StoredBlogAutomation>()),
    // A refetch would overwrite what is being typed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  if (stored.isPending) return <Waiting />;
  if (stored.isLoadingError) return <Failure text={texts.loadFailed} onRetry={() => void stored.refetch()} />;
  if (stored.data.origin === 'editorial') return <Editorial />;
  return <BlogWizard stored={stored.data} />;
}

/** Automations of our own blog have no site; administrators change them in the panel of the blog. */
function Editorial() {
  usePageTitle(texts.editorial);
  return (
    <Card className="mx-auto max-w-md text-center">
      <h1 className="text-xl">{texts.editorial}</h1>
      <Button asChild className="mt-4">
        <a href="/blog">{texts.editorialLink}</a>
      </Button>
    </Card>
  );
}
