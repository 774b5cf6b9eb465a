import { tools } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { Dial } from '../../components/ui/dial';
import { Card, Skeleton } from '../../components/ui/surface';
import { useUser } from '../../session/session';
import { publishedAutomationsQuery } from './published-automations';
import { proposedTexts } from './texts';

const texts = proposedTexts.kept;
/** Maximum number of automations that are named; the others are only counted. */
const mostNamed = 6;

/** The automations that are kept for a customer whose subscription has ended. Renders nothing without automations. */
export function KeptAutomations() {
  const { data, isPending } = useQuery(publishedAutomationsQuery(useUser().id));
  if (isPending) return <Skeleton className="h-56 rounded-panel" />;
  // No error when the list cannot be loaded: the page is about the plans above it.
  if (!data?.length) return null;
  const others = data.length - mostNamed;
  return (
    <Card aria-labelledby="kept" className="grid gap-4 lg:grid-cols-[300px_minmax(0,1fr)] lg:gap-12 lg:p-8">
      <div>
        <h2 id="kept" className="text-xl">
          {texts.title}
        </h2>
        <p className="mt-1 text-md text-muted">{texts.text}</p>
      </div>
      <ul className="divide-y divide-line">
        {data.slice(0, mostNamed).map(({ id, type, name }) => (
          <li key={id} className="grid grid-cols-[44px_minmax(0,1fr)] items-center gap-3.5 py-3 first:pt-0">
            <Dial tool={dialToolOf(type)} state="draft" size="small">
              <ToolIcon type={type} />
            </Dial>
            <div>
              <p className="font-semibold wrap-anywhere">{name}</p>
              <p className="text-sm text-muted">{tools[type].title}</p>
            </div>
          </li>
        ))}
        {others > 0 && <li className="pt-3 text-md text-muted">{texts.more(others)}</li>}
      </ul>
    </Card>
  );
}
