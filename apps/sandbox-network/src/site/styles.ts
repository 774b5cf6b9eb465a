import type { Build } from '../build/build.js';
import type { StyleName } from '../build/styles.js';

const rules: Partial<Record<StyleName, string>> = {
  page: 'display:flex;min-height:100vh',
  side: 'width:220px;border-right:1px solid #dbdbdb;padding:16px 8px;flex:none',
  bar: 'position:sticky;top:16px;display:flex;flex-direction:column;gap:8px',
  item: 'display:flex;align-items:center;gap:12px;color:inherit;text-decoration:none;padding:4px 8px;cursor:pointer',
  main: 'flex:1;max-width:935px;margin:0 auto;padding:24px 16px;min-width:0',
  header: 'display:flex;gap:32px;margin-bottom:24px',
  avatar: 'border-radius:50%;object-fit:cover;background:#efefef;flex:none',
  name: 'font-weight:600;font-size:inherit;margin:0',
  row: 'display:flex;align-items:center;gap:12px;flex-wrap:wrap',
  button: 'border:0;border-radius:8px;padding:7px 16px;background:#efefef;font-weight:600;cursor:pointer;font-size:14px;color:#000',
  primary: 'background:#0095f6;color:#fff',
  counters: 'display:flex;gap:32px;list-style:none;padding:0',
  count: 'font-weight:600',
  bio: 'white-space:pre-line;font-size:14px',
  tabs: 'border-top:1px solid #dbdbdb;margin:16px 0',
  grid: 'display:grid;grid-template-columns:repeat(3,1fr);gap:4px',
  tile: 'position:relative;aspect-ratio:1;background:#efefef;display:block;overflow:hidden',
  spinner: 'width:24px;height:24px;border:3px solid #dbdbdb;border-top-color:#888;border-radius:50%;margin:24px auto',
  shade: 'position:fixed;inset:0;background:rgba(0,0,0,.6);display:flex;align-items:center;justify-content:center;z-index:10',
  dialog: 'background:#fff;border-radius:12px;width:400px;max-width:92vw;max-height:92vh;overflow:hidden;position:relative',
  title: 'text-align:center;padding:12px 40px;font-weight:600;font-size:16px;margin:0',
  close: 'position:absolute;right:12px;top:12px;cursor:pointer;z-index:1',
  box: 'height:400px;overflow-y:auto;position:relative',
  canvas: 'position:relative',
  person:
    'position:absolute;left:0;right:0;height:60px;display:flex;align-items:center;gap:12px;padding:0 16px;box-sizing:border-box;contain:strict',
  names: 'flex:1;min-width:0;font-size:14px',
  second: 'color:#737373;font-size:14px;font-weight:400',
  menu: 'display:flex;flex-direction:column;text-align:center;padding-top:16px',
  choice: 'border:0;border-top:1px solid #dbdbdb;background:none;padding:14px;cursor:pointer;font-size:14px',
  text: 'padding:8px 24px 16px;white-space:pre-line;font-size:14px',
  notice:
    'position:fixed;left:50%;bottom:24px;transform:translateX(-50%);background:#262626;color:#fff;padding:12px 20px;border-radius:8px;z-index:20',
  banner:
    'position:fixed;left:0;right:0;bottom:0;background:#fff;border-top:1px solid #dbdbdb;padding:12px;display:flex;gap:12px;z-index:9',
  suggestions: 'display:flex;gap:12px;overflow-x:auto;flex-wrap:wrap;margin:8px 0',
  card: 'border:1px solid #dbdbdb;border-radius:8px;padding:12px;font-size:14px;width:150px;overflow:hidden;text-overflow:ellipsis',
  post: 'display:grid;grid-template-columns:1fr 1fr;gap:16px;padding:8px',
  media: 'background:#efefef',
  form: 'display:flex;flex-direction:column;gap:8px;width:300px;margin:12vh auto',
  field: 'padding:10px;border:1px solid #dbdbdb;border-radius:6px',
  search: 'padding:8px 16px',
  comments: 'max-height:320px;overflow-y:auto;font-size:14px',
  feed: 'max-width:470px;margin:0 auto 24px;border-bottom:1px solid #dbdbdb;padding-bottom:12px',
  replies: 'padding-left:44px',
  message: 'text-align:center;padding:40px 16px',
  inbox: 'width:320px;flex:none;border-right:1px solid #dbdbdb;max-height:80vh;overflow-y:auto',
  thread: 'flex:1;min-width:0;display:flex;flex-direction:column;gap:8px;padding:8px',
  bubbles: 'display:flex;flex-direction:column-reverse;overflow-y:auto;height:420px;gap:6px;padding:8px',
  bubbleRow: 'display:flex;align-items:flex-end;gap:8px;justify-content:flex-start',
  ownRow: 'justify-content:flex-end',
  bubble: 'max-width:70%;border-radius:18px;background:#efefef;padding:8px 14px;white-space:pre-wrap;overflow-wrap:anywhere',
  composer:
    'flex:1;min-height:24px;max-height:120px;overflow-y:auto;border:1px solid #dbdbdb;border-radius:22px;padding:8px 14px;white-space:pre-wrap',
  window: 'position:fixed;right:24px;bottom:0;width:330px;background:#fff;border:1px solid #dbdbdb;border-radius:12px 12px 0 0;z-index:8',
  unseen: 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)',
  tray: 'display:flex;gap:12px;overflow-x:auto;padding:0 0 16px;list-style:none;margin:0',
  ring: 'border:0;background:none;padding:2px;border-radius:8px;cursor:pointer;width:72px;text-align:center;font-size:12px;overflow:hidden;position:relative;flex:none',
  closeRing: 'outline:2px solid #1cd14f;outline-offset:-2px',
  viewer:
    'position:relative;background:#1a1a1a;color:#fff;border-radius:8px;max-width:420px;margin:0 auto;min-height:600px;display:flex;flex-direction:column;gap:8px;padding:12px',
  progress: 'flex:1;height:2px;background:#777',
  done: 'background:#fff',
};

/** The style sheet of a build, with the build's class names. */
export function styleSheet({ classes }: Build): string {
  const own = Object.entries(rules).map(([name, rule]) => `.${classes[name as StyleName]}{${rule}}`);
  return `*{box-sizing:border-box}body{margin:0;font:14px system-ui,sans-serif;color:#000;background:#fff}a{color:inherit}ul{list-style:none;margin:0;padding:0}[aria-disabled=true]{opacity:.4}textarea{font:inherit;resize:none;flex:1;min-width:0}
img{max-width:100%}input{font:inherit;max-width:100%}button{font-family:inherit}
${own.join('\n')}
.${classes.header} a{text-decoration:none}.${classes.suggestions} h2{width:100%;margin:0}.${classes.dialog}:has(article){width:min(860px,92vw);overflow:auto}.${classes.title} h1{font-size:inherit;margin:0}.${classes.person} a,.${classes.card} a{text-decoration:none}.${classes.tile} img{width:100%;height:100%;object-fit:cover}.${classes.tile} svg{position:absolute;right:6px;top:6px}
.${classes.header} .${classes.avatar}{width:150px;height:150px}.${classes.card} .${classes.avatar}{width:54px;height:54px;display:block}
@media(max-width:735px){.${classes.side}{position:fixed;left:0;right:0;bottom:0;width:auto;border:0;border-top:1px solid #dbdbdb;background:#fff;padding:4px;z-index:5}
.${classes.bar}{flex-direction:row;justify-content:space-around;position:static;gap:0}.${classes.bar} .${classes.word}{display:none}.${classes.bar} .${classes.item}{padding:4px}
.${classes.main}{padding:12px 8px 64px}.${classes.header}{gap:12px}.${classes.header} .${classes.avatar}{width:77px;height:77px}.${classes.counters}{gap:12px}
.${classes.post}{grid-template-columns:1fr}}`;
}
