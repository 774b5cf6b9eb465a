import { maxLengths } from '@decola/contracts';
import { useEffect, useRef, useState } from 'react';
import { classes } from '../../lib/classes';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { useUser } from '../../session/session';
import { blogNamePrefix, type ListedAutomation, useChangeAutomation } from './automations';
import { RenameField } from './rename-field';
import { automationItemTexts as texts } from './texts';

interface AutomationTitleProps {
  automation: ListedAutomation;
  /** `h1` on a page of its own, where a long name is shown whole. */
  heading: 'h1' | 'h3';
  /** The size of the heading. */
  className: string;
}

/** The name, which is edited in place. After editing it has the focus again. */
export function AutomationTitle({ automation, heading: Heading, className }: AutomationTitleProps) {
  const { id, table, name, editableName } = automation;
  const change = useChangeAutomation(useUser().id);
  const failureToast = useErrorToast();
  const [isRenaming, setRenaming] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    if (wasRenaming.current && !isRenaming && document.activeElement === document.body) button.current?.focus();
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  const isBlog = table === 'blog_automations';
  const rename = (next: string) => {
    setRenaming(false);
    if (next === editableName) return;
    change.mutate(
      { table, id, patch: isBlog ? { keyword: next } : { name: next } },
      {
        onSuccess: () => toast.success(texts.renamed),
        onError: (error) => failureToast.show(texts.renameFailed, { description: error.message || undefined }),
      },
    );
  };
  if (isRenaming)
    return (
      <RenameField
        name={editableName}
        prefix={isBlog ? blogNamePrefix : undefined}
        maxLength={isBlog ? maxLengths.keyword : maxLengths.name}
        onRename={rename}
        onCancel={() => setRenaming(false)}
      />
    );
  return (
    <Heading className={className}>
      <button
        ref={button}
        type="button"
        className="relative block max-w-full text-left underline-offset-4 before:absolute before:-inset-x-1 before:-inset-y-2.5 hover:underline hover:decoration-1"
        onClick={() => {
          failureToast.clear();
          setRenaming(true);
        }}
        title={texts.rename}
      >
        <span className={classes('[overflow-wrap:anywhere]', Heading === 'h3' && 'line-clamp-2')}>{name}</span>
      </button>
    </Heading>
  );
}
