/** Returns Node's HTTP module. A normal import of `node:http` also loads WebSocket code, and doubles the loading time of the client. */
export const nodeHttp = () => process.getBuiltinModule('node:http');
