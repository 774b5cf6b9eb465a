import './styles.css';
import { isStoredAdminMaster } from '../lib/stored-role';
import { hasStoredSession } from '../lib/stored-session';
import { prepareSharing } from './share';
import { reportView } from './views';

// All that moves on the pages of the blog; they are complete without it.
if (hasStoredSession()) for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-sign-up]')) link.href = '/adm';
prepareSharing();
// The readers are counted, not those who write.
if (!isStoredAdminMaster()) reportView();
else if (document.getElementById('blog-admin')) void import('../features/blog-admin/start').then(({ startBlogAdmin }) => startBlogAdmin());
