interface TopicFactsProps {
  heading: 'h3' | 'h4';
  title: string;
  keyword: string;
  /** Why people search for it. */
  why: string | null | undefined;
}

/** What one of the next articles will be about, and why. */
export function TopicFacts({ heading: Heading, title, keyword, why }: TopicFactsProps) {
  return (
    <>
      <Heading className="text-md leading-snug font-semibold font-stretch-normal">{title}</Heading>
      <p className="text-sm text-muted">
        <b className="font-semibold text-tool">{keyword}</b>
        {why ? ` · ${why}` : ''}
      </p>
    </>
  );
}
