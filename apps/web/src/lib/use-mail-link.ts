import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { isRefusedLink, mailLinkText, readMailLink } from './mail-link';

/** What is to be said about the link of a mail that led here. It is taken out of the address: it is said once. */
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
