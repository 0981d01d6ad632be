local timeline = {}
return timeline
