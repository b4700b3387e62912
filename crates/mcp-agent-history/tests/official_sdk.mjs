// Prints what the official SDK reads from the sessions of a directory, as JSON.
import {
  forkSession, getSessionInfo, getSessionMessages, getSubagentMessages, listSessions, listSubagents, archiveSession,
  deleteSession,
} from '@anthropic-ai/claude-agent-sdk'

const [action, dir, sessionId] = process.argv.slice(2)
const uuids = (messages) => messages.map((message) => message.uuid)

async function read() {
  const sessions = []
  for (const { sessionId } of await listSessions({ dir })) {
    const info = await getSessionInfo(sessionId)
    const agents = {}
    for (const agent of (await listSubagents(sessionId)).sort()) {
      agents[agent] = uuids(await getSubagentMessages(sessionId, agent))
    }
    const { customTitle, firstPrompt, summary, tag, archived } = info
    const messages = uuids(await getSessionMessages(sessionId))
    const page = uuids(await getSessionMessages(sessionId, { offset: 1, limit: 2 }))
    sessions.push({ sessionId, customTitle, firstPrompt, summary, tag, archived, messages, page, agents })
  }
  return sessions
}

const actions = { read, fork: () => forkSession(sessionId), archive: () => archiveSession(sessionId), delete: () => deleteSession(sessionId) }
console.log(JSON.stringify((await actions[action]()) ?? null))
