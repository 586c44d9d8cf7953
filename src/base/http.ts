/** Returns Node's HTTP module. An import of `node:http` also loads its WebSocket, which takes as long as the whole client. */
export const nodeHttp = () => process.getBuiltinModule('node:http');
