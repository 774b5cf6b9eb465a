import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isRefusedLink, mailLinkText, readMailLink } from './mail-link';

/** The message about the mail's link that led to this page. The link is removed from the URL, so that the message appears once. */
export function useMailLink(): { text: string | null; isRefused: boolean } {
  const location = useLocation();
  const navigate = useNavigate();
  const [link] = useState(() => readMailLink(location.hash));
  const text = mailLinkText(link);
  useEffect(() => {
    if (text && location.hash) void navigate({ search: location.search, hash: '' }, { replace: true, state: location.state as unknown });
  }, [text, location, navigate]);
  return { text, isRefused: isRefusedLink(link) };
}
